# SPDX-License-Identifier: BSD-3-Clause
"""What meson install puts in place: the files by their names, programs that are built and run with
them, and the plugin in an unmodified dpdk-testpmd."""

import os
import pathlib
import shutil

import pytest
from conftest import BUILD, TOP
from installed import libdir, pkg_config, plugins, run, staged

SAMPLE = TOP / "test/samples/sample.pcap"
INSTALLED = {
    "bin/dpdk-csum-testpmd",
    "include/dpdk-csum/csum.h",
    "include/dpdk-csum/csum_gso.h",
    "include/dpdk-csum/csum_mbuf.h",
    "include/dpdk-csum/csum_pkt.h",
    "include/dpdk-csum/csum_virtio.h",
    "lib/libdpdk_csum.a",
    "lib/libdpdk_csum.so",
    "lib/libdpdk_csum.so.0",
    "lib/pkgconfig/libdpdk-csum.pc",
    "lib/pkgconfig/librte_net_soft_csum.pc",
    "lib/plugins/librte_net_soft_csum.a",
    "lib/plugins/librte_net_soft_csum.so",
    "share/bash-completion/completions/dpdk-csum-testpmd",
    "share/man/man1/dpdk-csum-testpmd.1",
}
PROGRAM = r"""
#include <stdio.h>
#include <csum.h>
#include <csum_mbuf.h>
#include <csum_pkt.h>
#include <csum_virtio.h>
#include <csum_gso.h>

int main(void)
{
	static const unsigned char bytes[] = { 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7 };
	struct csum_gso_req req = { 0 };
	enum csum_refusal why;

	/* The example of RFC 1071, section 3, in network order. */
	printf("%04x\n", rte_be_to_cpu_16(csum_sum_fold(csum_partial(bytes, sizeof(bytes), 0))));
	printf("%s %d\n", csum_refusal_name(CSUM_REFUSAL_SEGSZ),
		csum_gso_segment(NULL, &req, NULL, NULL, 0, &why));
	return 0;
}
"""

pytestmark = pytest.mark.witness


@pytest.fixture(scope="module", name="prefix")
def prefix_fixture():
    with staged(BUILD) as prefix:
        yield prefix


def test_files_are_in_place(prefix):
    lib, plugin = libdir(prefix), plugins(prefix)
    found = set()
    for path in prefix.rglob("*"):
        if path.is_dir() or path.name.startswith("libdpdk_csum.so.0."):
            continue
        place = str(path.relative_to(prefix))
        place = place.replace(str(plugin.relative_to(prefix)), "lib/plugins")
        found.add(place.replace(str(lib.relative_to(prefix)), "lib"))
    assert found == INSTALLED


@pytest.mark.parametrize("compiler, suffix", [("gcc", "c"), ("clang", "c"), ("g++", "cc")])
def test_program_builds_against_the_shared_library(prefix, tmp_path, compiler, suffix):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    source = tmp_path / f"program.{suffix}"
    source.write_text(PROGRAM)
    flags = pkg_config(prefix, "--cflags", "--libs", "libdpdk-csum")
    run([compiler, "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", source, "-o",
         tmp_path / "program", *flags])
    env = dict(os.environ, LD_LIBRARY_PATH=str(libdir(prefix)))
    assert run([tmp_path / "program"], env=env) == "ddf2\nsegsz -22\n"


def test_program_builds_against_the_static_library(prefix, tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    flags = [flag for flag in pkg_config(prefix, "--cflags", "--libs", "libdpdk-csum")
             if flag != "-ldpdk_csum"]
    run(["gcc", source, libdir(prefix) / "libdpdk_csum.a", "-o", tmp_path / "program", *flags])
    assert run([tmp_path / "program"]) == "ddf2\nsegsz -22\n"


def test_installed_application_runs(prefix, tmp_path):
    app = prefix / "bin/dpdk-csum-testpmd"
    out = tmp_path / "out.pcap"
    assert "6 super-packets became 27 packets" in run([app, "--replay", SAMPLE, "--write", out])
    assert "0 super-packets" in run([app, "--validate", out])


@pytest.mark.skipif(shutil.which("dpdk-testpmd") is None, reason="dpdk-testpmd is not installed")
@pytest.mark.skipif(os.geteuid() != 0, reason="a plugin folder must belong to root")
def test_installed_plugin_finds_its_library(prefix):
    (plugin_dir,) = pkg_config(prefix, "--variable=plugindir", "librte_net_soft_csum")
    command = ["dpdk-testpmd", "-l", "0,1", "--no-huge", "-m", "256", "--no-pci", "--no-shconf",
               "--file-prefix", f"csum-install-{os.getpid()}",
               "-d", pathlib.Path(plugin_dir) / "librte_net_soft_csum.so",
               "--vdev", "net_null0", "--vdev", "net_soft_csum0,lower=net_null0",
               "--", "-i", "--total-num-mbufs=2048", "--no-mlockall"]
    printed = run(command, input="show port 1 tx_offload capabilities\nquit\n")
    (offloads,) = [line for line in printed.splitlines() if "Per Port  :" in line]
    assert {"IPV4_CKSUM", "TCP_CKSUM", "UDP_CKSUM", "TCP_TSO"} <= set(offloads.split())
