"""Explanations tell of Bloom files: whose they are, and what they say."""

from model.hudi.meanings import AsksBloom, BloomSays, OpensBloom, WritesBloom
from model.hudi.names import TEMP
from tests.unit.reports.hudi.test_renderer import step, told


def test_bloom_files_are_told_with_what_they_say():
    """Whose, whether it tells of what is asked for, and what follows if there is none."""
    path = f"{TEMP}/000001/p1/BLOOM"
    assert told(step("overwrite", path, OpensBloom(1)), step("close", path, WritesBloom(1))) == [
        "w1 opens its Bloom file and writes its Bloom file."
    ]
    said = {True: "that it may be in the way", False: "that it is not in the way"}
    for maybe, words in said.items():
        (sentence,) = told(step("read", path, AsksBloom(1), BloomSays(1, maybe), value=1, actor="w2"))
        assert sentence == f"w2 reads in the Bloom file of 000001 {words}."
    (sentence,) = told(step("read", path, AsksBloom(1), BloomSays(1, False), value="NotFound", actor="w2"))
    assert sentence == "w2 finds no Bloom file of 000001, so it counts as having no markers."
    (sentence,) = told(step("list", path, AsksBloom(1), BloomSays(1, True), value=(), actor="w2"))
    assert sentence == "w2 finds no Bloom file of 000001, so its markers are read."
