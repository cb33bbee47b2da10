# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts on real captures: the application against the reference, both against tshark.

CSUM_CAPTURES names the folder of captures, CSUM_TESTPMD the application, CSUM_REF_JUDGE the
reference's program. A test whose parts are missing is skipped and says which.
"""

import collections

import pytest

import tools
import witness

FILES = tools.capture_files()
if not FILES:
    FILES = [pytest.param(None, id="no captures", marks=pytest.mark.skip(
        reason=f"no captures in {tools.CAPTURES}: set CSUM_CAPTURES"))]
every_capture = pytest.mark.parametrize("name", FILES)

SUBJECTS = {"app": ("CSUM_TESTPMD", tools.app), "reference": ("CSUM_REF_JUDGE", tools.reference)}


def subject_results(subject):
    """A subject's verdicts on every capture; skips where its program is not there."""
    variable, function = SUBJECTS[subject]
    if tools.program(variable) is None:
        pytest.skip(f"{variable} names no program")
    return tools.for_every_capture(function)


@pytest.fixture(scope="session", name="app")
def app_fixture():
    """The application's verdicts by capture."""
    return subject_results("app")


@pytest.fixture(scope="session", name="reference")
def reference_fixture():
    """The reference's verdicts by capture."""
    return subject_results("reference")


@pytest.fixture(scope="session", name="tshark")
def tshark_fixture():
    """tshark's rows by capture."""
    if witness.version() is None:
        pytest.skip("tshark is not installed")
    return tools.for_every_capture(witness.rows)


@pytest.fixture(scope="session", name="comparison", params=sorted(SUBJECTS))
def comparison_fixture(request, tshark):
    """Either subject against tshark: its verdicts, what is unexplained, what was explained."""
    results = request.getfixturevalue(request.param)
    unexplained = collections.defaultdict(list)
    used = collections.Counter()
    for name, verdicts in results.items():
        for packet, row in zip(verdicts.packets, tshark[name]):
            exceptions, difference = witness.compare(row, packet)
            used.update(exceptions)
            if difference is not None:
                unexplained[name].append(f"packet {packet['frame']}: {difference}")
    return results, unexplained, used


def packets(verdicts):
    """The contract's cells of each packet; columns behind them may be added."""
    return [[packet["frame"]] + [packet[column] for column in tools.COLUMNS]
            for packet in verdicts.packets]


@every_capture
def test_app_ends_as_it_should(app, name):
    """0, 1 or 2 in time, by what was printed; what could not be read is named."""
    verdicts = app[name]
    assert verdicts.code in (0, 1, 2), verdicts.stderr
    if verdicts.code == 2:
        assert name.rsplit("/", 1)[-1] in verdicts.stderr
        return
    cells = {verdict for packet in packets(verdicts) for cell in packet[1:]
             for verdict in cell.split(",")}
    assert cells <= set(witness.STATUS) | {"-"}
    assert verdicts.code == (1 if cells & {"bad", "partial"} else 0)


@every_capture
def test_app_equals_reference(app, reference, name):
    """Every verdict on every packet. Where the reference cannot read on, the app may."""
    ours, theirs = packets(app[name]), packets(reference[name])
    assert theirs or reference[name].code == 2 or reference[name].header
    assert ours[:len(theirs)] == theirs
    if reference[name].code != 2:
        assert len(ours) == len(theirs)
        assert app[name].code == reference[name].code


@every_capture
@pytest.mark.witness
def test_equals_tshark(comparison, tshark, name):
    """Every status that tshark gives for ip, tcp and udp, but for what is explained."""
    results, unexplained, _ = comparison
    assert unexplained[name] == []
    if results[name].code == 2:
        assert len(results[name].packets) <= len(tshark[name])
    else:
        assert len(results[name].packets) == len(tshark[name])


@pytest.mark.parametrize("known", [known.name for known in witness.EXCEPTIONS])
@pytest.mark.skipif(not tools.capture_files(), reason="no captures")
@pytest.mark.witness
def test_exception_is_still_needed(comparison, known):
    """An explanation that explains nothing any more must go."""
    _, _, used = comparison
    print(f"{known}: {used[known]} packets")
    assert used[known] > 0
