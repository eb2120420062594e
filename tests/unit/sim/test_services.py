"""The simulated object store, registers and metastore keep the contracts of their ports."""

import pytest

from model.ports import AlreadyExists, CasLost, NotFound, Versioned
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies import FirstCome
from sim.services.base import Interner
from sim.services.register import RegisterService
from sim.services.store import ObjectStore
from tests.unit.sim.worlds import Small


def test_object_is_whole_and_visible_at_once():
    """Put, get, exists, list, delete."""
    store = Small().store
    store.put("a/2", "two")
    store.put("a/1", "one")
    store.put("b", "three")
    assert (store.get("a/1"), store.exists("a/1"), store.exists("c")) == ("one", True, False)
    assert store.list("a/") == ("a/1", "a/2")
    store.delete("a/1")
    store.delete("a/1")
    assert store.list("") == ("a/2", "b")
    with pytest.raises(NotFound, match="object a/1: expected an object, got none"):
        store.get("a/1")


def test_create_only_put_refuses_an_existing_object():
    """And leaves it as it was."""
    store = Small().store
    store.put_if_absent("a", 1)
    with pytest.raises(AlreadyExists, match="object a: expected none, got one"):
        store.put_if_absent("a", 2)
    assert store.get("a") == 1


def test_register_moves_by_compare_and_swap_only():
    """Versions count up from 1; a wrong expectation changes nothing and says what there is."""
    register = Small().register
    with pytest.raises(NotFound, match="register t: expected one, got none"):
        register.load("t")
    assert register.commit("t", 0, "a") == 1
    assert register.load("t") == Versioned(1, "a")
    with pytest.raises(CasLost, match="register t: expected version 0, got 1"):
        register.commit("t", 0, "b")
    assert register.commit("t", 1, "b") == 2
    assert register.load("t") == Versioned(2, "b")


def test_idempotency_key_repeats_the_first_answer_only_if_the_register_honours_it():
    """A key is an offer; without it, or without keeping replies, a repeated commit is a lost race."""
    small = Small()
    small.register.idempotent = True
    assert [small.register.commit("t", 0, "a", "k"), small.register.commit("t", 0, "a", "k")] == [1, 1]
    with pytest.raises(CasLost):
        small.register.commit("t", 0, "a")
    plain = Small().register
    plain.commit("t", 0, "a", "k")
    with pytest.raises(CasLost):
        plain.commit("t", 0, "a", "k")


def test_a_refusal_is_repeated_to_its_key():
    """As the specification has it of every final 4xx; Iceberg's own store of answers keeps any error."""
    register = Small().register
    register.idempotent = True
    register.commit("t", 0, "a", "k0")
    for expected in (0, 1):
        with pytest.raises(CasLost, match="expected version 0, got 1"):
            register.commit("t", expected, "b", "k1")


def test_a_key_that_has_expired_is_a_new_one():
    """TestRESTCatalog.testIdempotencyKeyLifetimeExpiredTreatsAsNew."""
    register = Small().register
    register.idempotent, register.keys = True, "expired"
    assert register.commit("t", 0, "a", "k") == 1
    with pytest.raises(CasLost):
        register.commit("t", 0, "a", "k")


def test_metastore_alters_blindly_unless_a_parameter_is_expected():
    """HIVE-26882: the check and the change are one."""
    metastore = Small().metastore
    metastore.create("t", {"location": "m1"})
    metastore.alter_table("t", {"location": "m2"})
    metastore.alter_table("t", {"location": "m3"}, ("location", "m2"))
    with pytest.raises(CasLost, match="parameter location: expected 'm2', got 'm3'"):
        metastore.alter_table("t", {"location": "m4"}, ("location", "m2"))
    assert metastore.get_table("t") == {"location": "m3"}
    for call in (lambda: metastore.get_table("u"), lambda: metastore.alter_table("u", {})):
        with pytest.raises(NotFound, match="table u: expected one, got none"):
            call()


def test_caller_cannot_change_what_a_metastore_holds():
    """Maps are copied on their way in and out."""
    metastore = Small().metastore
    given = {"a": "1"}
    metastore.create("t", given)
    given["a"] = "2"
    metastore.get_table("t")["a"] = "3"
    assert metastore.get_table("t") == {"a": "1"}


def numbered(service, interner):
    return service(Kernel(Choices(FirstCome())), interner)


def test_state_key_depends_on_contents_not_on_the_order_of_writes():
    """Two stores that hold the same are in the same state."""
    interner = Interner()
    one, two, other = (numbered(ObjectStore, interner) for _ in range(3))
    for path, body in [("a", 1), ("b", 2)]:
        one.put(path, body)
    for path, body in [("b", 2), ("c", 3), ("a", 1)]:
        two.put(path, body)
    two.delete("c")
    other.put("a", 2)
    other.put("b", 2)
    assert one.state_key() == two.state_key() != other.state_key()


def test_state_key_of_a_register_holds_its_older_versions():
    """The lineage read at the end, and a stale load, depend on them."""
    interner = Interner()
    one, two = (numbered(RegisterService, interner) for _ in range(2))
    for register, first in ((one, "a"), (two, "b")):
        register.commit("t", 0, first)
        register.commit("t", 1, "same")
    assert one.state_key() != two.state_key()


def test_state_key_of_a_store_holds_the_order_of_changes_if_it_may_be_stale():
    """What a stale listing shows depends on which change was the last."""
    interner = Interner()
    one, two = (ObjectStore(Kernel(Choices(FirstCome())), interner, may_be_stale=True) for _ in range(2))
    for store, order in ((one, "ab"), (two, "ba")):
        for path in order:
            store.put(path, path)
    assert one.objects == two.objects
    assert one.state_key() != two.state_key()


def test_interned_numbers_are_equal_for_equal_values_only():
    """No hash stands for a value."""
    interner = Interner()
    assert interner(("a", 1)) == interner(("a", 1)) != interner(("a", 2))
    colliding = [interner(-1), interner(-2)]
    assert hash(-1) == hash(-2)
    assert colliding[0] != colliding[1]


def test_image_gives_every_run_the_same_start_and_is_not_changed_by_one():
    """Contents, versions, stored replies, and the numbers that state keys are made of."""
    interner = Interner()
    prepared = numbered(RegisterService, interner)
    prepared.idempotent = True
    prepared.commit("t", 0, "a", "k")
    image = prepared.image()
    for _ in range(2):
        run = numbered(RegisterService, interner)
        run.idempotent = True
        run.restore(image)
        assert run.state_key() == prepared.state_key()
        assert (run.load("t"), run.commit("t", 0, "a", "k")) == (Versioned(1, "a"), 1)
        run.commit("t", 1, "b")
        assert run.state_key() != prepared.state_key()
