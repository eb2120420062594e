"""The model's comparisons and string forms against the real classes: storage-api 2.8.1 (Spark's) and 4.0.1 (fixed)."""

import json
import random
from pathlib import Path

import pytest

from model.hive import (
    ValidTxnList,
    ValidWriteIdList,
    compare,
    compare_2_8_1,
    parse_txn_list,
    parse_write_ids,
    short_list,
)
from real_backend.hive.distribution import distribution
from real_backend.iceberg.bare_jvm import bare_jvm

pytestmark = pytest.mark.live
FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_compare.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
COMPARISON, LIST = "org.apache.hive.common.util.TxnIdUtils", "org.apache.hadoop.hive.common.ValidReaderWriteIdList"
TXN_LIST = "org.apache.hadoop.hive.common.ValidReadTxnList"
PAIRS = 150


class StorageApi:
    """The classes of one storage-api: Spark's own, or those of jars, loaded apart from them."""

    def __init__(self, jvm, *jars) -> None:
        self._jvm = jvm
        lang = jvm.java.java.lang
        if not jars:
            self._loader = lang.Thread.currentThread().getContextClassLoader()
        else:
            urls = jvm.gateway.new_array(jvm.java.java.net.URL, len(jars))
            for place, jar in enumerate(jars):
                urls[place] = jvm.java.java.io.File(str(jar)).toURI().toURL()
            self._loader = jvm.java.java.net.URLClassLoader(urls, lang.ClassLoader.getPlatformClassLoader())
        self._string = lang.Class.forName("java.lang.String")
        parameter = self._loader.loadClass("org.apache.hadoop.hive.common.ValidWriteIdList")
        self._compare = self._loader.loadClass(COMPARISON).getMethod("compare", self._classes(parameter, parameter))

    def _classes(self, *classes):
        made = self._jvm.gateway.new_array(self._jvm.java.java.lang.Class, len(classes))
        for place, each in enumerate(classes):
            made[place] = each
        return made

    def _objects(self, *values):
        made = self._jvm.gateway.new_array(self._jvm.java.java.lang.Object, len(values))
        for place, each in enumerate(values):
            made[place] = each
        return made

    def parsed(self, name, text):
        """An object of the class, made of its string form."""
        constructor = self._loader.loadClass(name).getConstructor(self._classes(self._string))
        return constructor.newInstance(self._objects(text))

    def compare(self, a, b):
        """What `TxnIdUtils.compare` says of two lists."""
        lists = self._objects(self.parsed(LIST, str(a)), self.parsed(LIST, str(b)))
        return max(-1, min(1, self._compare.invoke(None, lists)))


@pytest.fixture(scope="module")
def jvm():
    with bare_jvm() as started:
        yield started


@pytest.fixture(scope="module")
def shipped(jvm):
    """What every Spark 3.5 has."""
    return StorageApi(jvm)


@pytest.fixture(scope="module")
def fixed(jvm):
    """What Hive 4.0.1 has."""
    return StorageApi(jvm, distribution().jar("hive-storage-api"), distribution().jar("commons-lang3"))


def random_list(draws):
    """Any list over a few ids, also one that no history has."""
    high = draws.randint(0, 7)
    exceptions = sorted(draws.sample(range(1, high + 1), draws.randint(0, high)))
    aborted = sorted(draws.sample(exceptions, draws.randint(0, len(exceptions))))
    return ValidWriteIdList("default.t", high, [one for one in exceptions if one not in aborted], aborted)


def test_vectors_on_the_real_classes(shipped, fixed):
    """Every one of hive/2.1, on both versions; HIVE-24975 is what they differ in."""
    found = {}
    for vector in VECTORS:
        a, b = short_list(vector["a"]), short_list(vector["b"])
        found[vector["id"]] = shipped.compare(a, b), fixed.compare(a, b)
    assert len(found) == 27
    assert found == {vector["id"]: (vector["shipped"], vector["fixed"]) for vector in VECTORS}
    assert [number for number, (old, new) in found.items() if old != new] == [16, 18, 19, 20]


def test_models_comparisons_are_the_real_ones(shipped, fixed):
    """Random lists, comparable or not, both versions, both ways."""
    draws = random.Random(24975)
    different = 0
    for _ in range(PAIRS):
        a, b = random_list(draws), random_list(draws)
        assert (compare_2_8_1(a, b), compare(a, b)) == (shipped.compare(a, b), fixed.compare(a, b)), (str(a), str(b))
        different += compare_2_8_1(a, b) != compare(a, b)
    assert different > PAIRS // 20


def test_string_forms_are_the_real_ones(fixed):
    """Written by the model, read and written by Java, read by the model: the same list, ranges included."""
    draws = random.Random(1)
    for _ in range(20):
        writes = random_list(draws)
        text = fixed.parsed(LIST, str(writes)).writeToString()
        assert text == str(writes)
        assert parse_write_ids(text) == writes
    for txns in (ValidTxnList(20, [3, *range(5, 13)], [14, 15]), ValidTxnList(11, [4, 6, 10], [2, 8]), ValidTxnList(5)):
        text = fixed.parsed(TXN_LIST, str(txns)).writeToString()
        assert text == str(txns)
        assert parse_txn_list(text) == txns
