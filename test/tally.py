#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Add up JUnit results.

usage: tally.py FOLDER                name what failed and what was skipped, then the one line
       tally.py --broken NAME FOLDER  put down that NAME did not even run, as a failure
"""

import pathlib
import sys
import xml.etree.ElementTree as ET


def put_down_broken(name, folder):
    suite = ET.Element("testsuite", name=name)
    case = ET.SubElement(suite, "testcase", classname="", name=name)
    ET.SubElement(case, "error", message="did not run")
    ET.ElementTree(suite).write(folder / (name.replace(" ", "-").replace(":", "") + ".xml"))


def outcome(case):
    """-> ('passed' | 'failed' | 'skipped', reason)"""
    for tag, result in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
        found = case.find(tag)
        if found is not None:
            reason = found.get("message") or (found.text or "").strip()
            return result, reason.splitlines()[0] if reason else ""
    return "passed", ""


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--broken":
        put_down_broken(sys.argv[2], pathlib.Path(sys.argv[3]))
        return 0
    if len(sys.argv) != 2:
        sys.exit(__doc__)

    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
        cases = list(ET.parse(path).getroot().iter("testcase"))
        if not cases:
            counts["failed"] += 1
            print(f"FAILED {path.stem}: no test ran")
        for case in cases:
            result, reason = outcome(case)
            counts[result] += 1
            if result != "passed":
                name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
                print(f"{result.upper()} {path.stem}: {name}" + (f" ({reason})" if reason else ""))
    print(", ".join(f"{n} {result}" for result, n in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


sys.exit(main())
