# SPDX-License-Identifier: BSD-3-Clause
"""An installed copy, as a user has it: where it is, and what pkg-config says of it."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, timeout=120, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def staged(build):
    """A staged installation; not under /tmp, from which EAL loads no plugin."""
    root = pathlib.Path("/opt" if os.geteuid() == 0 else pathlib.Path.home())
    with tempfile.TemporaryDirectory(prefix="csum-install-", dir=root) as name:
        stage = pathlib.Path(name)
        stage.chmod(0o755)
        run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", stage])
        (prefix,) = [path.parent for path in stage.rglob("include")]
        for file in prefix.rglob("*.pc"):
            text = file.read_text()
            file.write_text(text.replace("prefix=" + str(prefix)[len(str(stage)):],
                                         f"prefix={prefix}"))
        yield prefix


def libdir(prefix):
    return next(prefix.rglob("pkgconfig")).parent


def plugins(prefix):
    return next(prefix.rglob("librte_net_soft_csum.so")).parent


def build_env(prefix):
    return dict(os.environ, PKG_CONFIG_PATH=str(libdir(prefix) / "pkgconfig"))


def pkg_config(prefix, *arguments):
    return run(["pkg-config", *arguments], env=build_env(prefix)).split()
