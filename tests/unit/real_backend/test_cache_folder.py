"""Where what live runs fetch is kept: never among installed packages, which may be read-only and are thrown away."""

from pathlib import Path

import pytest

from real_backend.errors import BackendUnavailable
from real_backend.jvm import jars

ROOT = Path(__file__).resolve().parents[3]


def test_the_folder_that_is_set_is_taken(monkeypatch, tmp_path):
    """By LAKEPROOF_CACHE, whatever else there is."""
    monkeypatch.setenv("LAKEPROOF_CACHE", str(tmp_path))
    assert jars.cache_folder() == tmp_path / "jars"


def test_a_checkout_keeps_its_own(monkeypatch):
    """What `make jars` fetched is found by `pytest` and `lakeproof` alike, and goes with `make clean`."""
    monkeypatch.delenv("LAKEPROOF_CACHE", raising=False)
    assert jars.cache_folder() == ROOT / ".cache" / "jars"


def test_an_installed_package_uses_the_cache_folder_of_its_user(monkeypatch, tmp_path):
    """By the system's conventions; an empty LAKEPROOF_CACHE is none."""
    monkeypatch.setenv("LAKEPROOF_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(jars, "__file__", str(tmp_path / "site-packages/real_backend/jvm/jars.py"))
    monkeypatch.setattr(jars, "user_cache_path", lambda name, appauthor: tmp_path / name)
    assert jars.cache_folder() == tmp_path / "lakeproof" / "jars"


def test_a_cache_that_cannot_be_written_is_one_line_with_a_way_out(tmp_path):
    """A home that is read-only, or a file in the place of a folder."""
    (tmp_path / "file").write_text("")
    with pytest.raises(BackendUnavailable, match=r"cache .*: expected a folder .*, got Not a directory; set LAKEPROOF"):
        jars.made(tmp_path / "file" / "jars")
