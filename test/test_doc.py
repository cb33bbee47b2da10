# SPDX-License-Identifier: BSD-3-Clause
"""The guides are true: they build without a warning, their examples run and print what is shown,
and they name every option, command and counter that there is."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import BUILD, TOP

sys.path.insert(0, str(TOP / "devtools"))
import guide_screens  # noqa: E402 (where it is has just been said)

GUIDES = TOP / "doc/guides"
EXAMPLES = TOP / "doc/examples"
APP = pathlib.Path(os.environ["CSUM_TESTPMD"])
DRIVER_GUIDE = GUIDES / "nics/soft_csum.rst"
CAPTURE_GUIDE = GUIDES / "testpmd_app_ug/capture.rst"
WIREGUARD_GUIDE = GUIDES / "sample_app_ug/wireguard.rst"
INTRO_GUIDE = GUIDES / "testpmd_app_ug/intro.rst"
EAL = ("--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "64",
       "--log-level=lib.eal:error", "--file-prefix", f"csum-doc-{os.getpid()}")
SECONDS = 120


def run(command, **options):
    """-> (exit status, all that was printed)"""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                          timeout=SECONDS, check=False, **options)
    return done.returncode, done.stdout


def all_guides():
    return "\n".join(path.read_text() for path in sorted(GUIDES.rglob("*.rst")))


def shown_in(text, name):
    """Whether a name occurs in a guide as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


# ---- they build

@pytest.mark.skipif(shutil.which("sphinx-build") is None, reason="sphinx-build is not installed")
def test_guides_build_without_a_warning(tmp_path):
    assert run(["sphinx-build", "-q", "-W", "--keep-going", "-d", tmp_path / "trees", GUIDES,
                tmp_path / "html"]) == (0, "")


@pytest.mark.skipif(shutil.which("doxygen") is None, reason="doxygen is not installed")
def test_api_reference_builds_without_a_warning(tmp_path):
    settings = (TOP / "doc/api/Doxyfile.in").read_text()
    for name, value in (("VERSION", "0"), ("SOURCE", TOP), ("OUTPUT", tmp_path)):
        settings = settings.replace(f"@{name}@", str(value))
    doxyfile = tmp_path / "Doxyfile"
    doxyfile.write_text(settings)
    assert run(["doxygen", doxyfile]) == (0, "")
    pages = {path.name for path in (tmp_path / "api").iterdir()}
    assert {"csum_8h.html", "csum__mbuf_8h.html", "csum__pkt_8h.html",
            "csum__virtio_8h.html", "csum__gso_8h.html"} <= pages


# ---- the examples

@pytest.fixture(autouse=True, scope="module")
def remove_runtime_dir():
    """The EAL makes a directory for its prefix, and leaves it."""
    yield
    for root in ("/var/run/dpdk", "/tmp/dpdk"):
        shutil.rmtree(pathlib.Path(root, EAL[-1]), ignore_errors=True)


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.out")))
def test_example_prints_what_the_guides_show(name):
    assert run([BUILD / "doc/examples" / name, *EAL]) == (0, (EXAMPLES / f"{name}.out").read_text())


def test_example_of_variants_runs():
    """What it prints depends on the CPU."""
    status, text = run([BUILD / "doc/examples/variants"])
    assert status == 0
    assert text.startswith("generic    64 bits  runs here")
    assert text.endswith("by name: generic\n")


def test_every_part_of_an_example_is_shown():
    """And what is shown is there: sphinx warns of a marker that it does not find."""
    shown = re.findall(r"literalinclude:: \S+/(\w+\.c)\n.*\n\s+:start-after: /\* begin: (\w+) \*/",
                       all_guides())
    parts = [(path.name, part) for path in [*EXAMPLES.glob("*.c"), *(TOP / "examples").rglob("*.c")]
             for part in re.findall(r"/\* begin: (\w+) \*/", path.read_text())]
    assert sorted(shown) == sorted(parts)


# ---- the capture guide's commands

def test_capture_guide_shows_what_is_printed(tmp_path):
    """devtools/guide_screens.py writes it."""
    shell, nb_commands = guide_screens.Shell(tmp_path, APP), 0
    for block in guide_screens.console_blocks(CAPTURE_GUIDE.read_text()):
        for command, output in block:
            shown = guide_screens.shown(shell.run(command))
            assert (command, shown.rstrip("\n")) == (command, output.rstrip("\n"))
            nb_commands += 1
    assert nb_commands >= 12


# ---- names

def test_every_refusal_reason_is_in_the_library_guide():
    reasons = re.findall(r'\{ "(\w+)", (-E\w+) \}', (TOP / "lib/csum/pkt/refusal.c").read_text())
    rows = re.findall(r"^   \* - ``(\w+)``\n     - ``(E\w+)``\n",
                      (GUIDES / "prog_guide/csum_pkt.rst").read_text(), re.M)
    assert len(reasons) > 5
    assert sorted(rows) == sorted((name, error[1:]) for name, error in reasons)


def test_replay_reasons_are_in_the_capture_guide():
    plan = (TOP / "app/csum-testpmd/replay_plan.c").read_text()
    reasons = re.findall(r'return "(\w+)";', plan)
    text = CAPTURE_GUIDE.read_text()
    assert reasons
    assert [reason for reason in reasons if f"``{reason}``" not in text] == []


def test_every_driver_argument_is_in_the_driver_guide():
    table = (TOP / "drivers/net-soft-csum/args.c").read_text().split("} keys[] = {")[1]
    keys = re.findall(r'\{ "(\w+)", parse_', table) + ["dev"]
    text = DRIVER_GUIDE.read_text()
    assert len(keys) > 3
    assert [key for key in keys if f"``{key}=" not in text and f"``{key}(" not in text] == []


def test_every_offload_that_can_be_forced_is_in_the_driver_guide():
    macro = re.search(r"#define TX_SOFTWARE \((.*?)\)", re.sub(r"\\\n", " ",
                      (TOP / "drivers/net-soft-csum/offload.c").read_text()))[1]
    offloads = re.findall(r"RTE_ETH_TX_OFFLOAD_(\w+)", macro)
    text = DRIVER_GUIDE.read_text()
    assert len(offloads) > 8
    assert [name for name in offloads if f"``{name}``" not in text] == []


def test_every_option_is_in_the_application_guide():
    status, text = run([APP, "--help-all"])
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    guides = INTRO_GUIDE.read_text()
    assert status == 0 and len(options) > 20
    assert sorted(option for option in options if not shown_in(guides, option)) == []


def test_every_command_is_in_the_application_guide():
    words = []
    for source in sorted((TOP / "app/csum-testpmd").glob("cmdline_*.c")):
        for parts in re.findall(r"\n\t(\"[^;]*?\"),\n\tWORD", source.read_text()):
            usage = "".join(re.findall(r'"([^"]*)"', parts)).split(":")[0]
            words.append(usage.split("<")[0].split("|")[0].split()[:2])
    text = INTRO_GUIDE.read_text()
    assert len(words) > 20
    assert [word for word in words if f"``{' '.join(word)}" not in text] == []


def test_columns_and_verdicts_are_in_the_capture_guide():
    report = (TOP / "app/csum-testpmd/report.c").read_text()
    names = re.findall(r'\[REPORT_\w+\] = "(\w+)"', report)
    text = CAPTURE_GUIDE.read_text()
    assert len(names) > 15
    assert [name for name in names if f"``{name}``" not in text] == []


def test_keys_and_refusals_are_in_the_wireguard_guide():
    core = TOP / "examples/wireguard/core"
    keys = re.findall(r'\{ "(\w+)", WG_SECTION', (core / "config_keys.c").read_text())
    reasons = re.findall(r'\[WG_REFUSAL_\w+\] = "(.*)"', (core / "receive.c").read_text())
    rows = re.findall(r"^   \* - ``(.*)``$", WIREGUARD_GUIDE.read_text(), re.M)
    wanted = keys + reasons[1:]
    assert len(keys) == 9 and len(reasons) > 15
    assert [row for row in rows if row in wanted] == wanted


def test_options_and_losses_are_in_the_wireguard_guide():
    app = TOP / "examples/wireguard/app"
    options = re.findall(r'\{ "([\w-]+)", \w+_argument', (app / "options.c").read_text())
    names = re.findall(r'\[COUNT_\w+\] = "(.*)"', (app / "counters.c").read_text())
    losses = [name for name in names if re.search(
        "dropped|refused|too long|failed|out of|received (for|trunc|with)", name)]
    text = WIREGUARD_GUIDE.read_text()
    assert len(options) > 8 and len(losses) > 10
    assert [option for option in options if f"``--{option}" not in text and option != "help"] == []
    assert [loss for loss in losses if f"``{loss}``" not in text] == []


def test_features_are_those_of_dpdk():
    """Each feature of the driver is Y or P, and has a name that DPDK's table knows."""
    known = """Speed capabilities|Link status|Link status event|Removal event|Queue status event|
        Rx interrupt|Lock-free Tx queue|Fast mbuf free|Free Tx mbuf on demand|Queue start/stop|
        Runtime Rx queue setup|Runtime Tx queue setup|Shared Rx queue|Burst mode info|
        Power mgmt address monitor|MTU update|Buffer split on Rx|Scattered Rx|LRO|TSO|
        Promiscuous mode|Allmulticast mode|Unicast MAC filter|Multicast MAC filter|RSS hash|
        RSS key update|RSS reta update|Inner RSS|VMDq|SR-IOV|DCB|VLAN filter|Flow control|
        Rate limitation|Congestion management|Inline crypto|Inline protocol|CRC offload|
        VLAN offload|QinQ offload|FEC|IP reassembly|L3 checksum offload|L4 checksum offload|
        Timestamp offload|MACsec offload|Inner L3 checksum|Inner L4 checksum|Packet type parsing|
        Timesync|Rx descriptor status|Tx descriptor status|Basic stats|Extended stats|
        Stats per queue|FW version|EEPROM dump|Module EEPROM dump|Registers dump|LED|
        Multiprocess aware|FreeBSD|Linux|Windows|ARMv7|ARMv8|LoongArch64|Power8|rv64|x86-32|
        x86-64|Usage doc|Design doc|Perf doc"""
    known = {name.strip() for name in known.split("|")}
    text = (GUIDES / "nics/features/soft_csum.ini").read_text()
    lines = [line for line in text.splitlines() if line and line[0] not in ";["]
    features = [re.fullmatch(r"(.*?) *= ([YP])", line) for line in lines]
    assert None not in features
    assert [feature[1] for feature in features if feature[1] not in known] == []
    # And each but those about documents and machines has a test of its name.
    cases = {}
    for path in (TOP / "test/driver").glob("*_test.c"):
        cases[path.name] = set(re.findall(r"\tCASE\((\w+)\)", path.read_text()))
    names = {re.sub(r"\W", "_", feature[1]).lower() for feature in features}
    names -= {"linux", "x86_64", "usage_doc", "design_doc"}
    assert names - set().union(*cases.values()) == set()
    assert cases["driver_features_test.c"] - names == set()
