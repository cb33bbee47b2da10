# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of dpdk-csum-testpmd and of Debian's dpdk-testpmd share: drive either program with
the same commands over captures, and judge what comes out."""

import atexit
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from replay_tools import APP, BUILD, read_pcap, record, write_pcap

DEBIAN = shutil.which("dpdk-testpmd")
REF_JUDGE = BUILD / "test/ref/ref-judge"
TSHARK = shutil.which("tshark")
# Huge pages and PCI devices are not needed, and without a shared configuration tests run side by
# side.
PREFIX = f"csum-test-{os.getpid()}"
EAL = ("--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "128", "--file-prefix",
       PREFIX)
# Data room 2049: what is longer arrives as a chain whose second mbuf begins at an odd offset.
ODD_MBUFS = "--mbuf-size=2177"
SECONDS = 30


@atexit.register
def remove_runtime_dir():
    """The EAL makes a directory for its prefix, and leaves it."""
    for root in ("/var/run/dpdk", "/tmp/dpdk"):
        with contextlib.suppress(OSError):
            pathlib.Path(root, PREFIX).rmdir()


class Session:
    """A program at its prompt. Commands go in, and everything printed is kept."""

    def __init__(self, command, env=None, preexec_fn=None):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=env, preexec_fn=preexec_fn)
        self.text = ""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.text += line

    def send(self, *commands):
        self.process.stdin.write("".join(command + "\n" for command in commands))
        self.process.stdin.flush()

    def wait_until(self, condition, what):
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert self.process.poll() is None, f"ended without {what}:\n{self.text}"
            assert time.monotonic() < deadline, f"no {what}:\n{self.text}"
            time.sleep(0.01)

    def wait_for(self, text):
        self.wait_until(lambda: text in self.text, text)

    def signal(self, number=signal.SIGINT):
        self.process.send_signal(number)

    def end(self, *commands):
        """-> (exit status, all that was printed)"""
        try:
            self.send(*commands)
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(SECONDS)
        finally:
            self.process.kill()
        self.reader.join()
        return self.process.returncode, self.text


def ours(*options, vdevs=()):
    """Command line of dpdk-csum-testpmd, without EAL options."""
    return [APP, *(word for vdev in vdevs for word in ("--vdev", vdev)), *options]


def debian(plugin, *options, vdevs=()):
    """Command line of dpdk-testpmd with our driver as a plugin; it prints line by line."""
    return ["stdbuf", "-oL", DEBIAN, *EAL, "-d", plugin,
            *(word for vdev in vdevs for word in ("--vdev", vdev)),
            "--", "--total-num-mbufs=8192", *options]


def debian_plain(*options, vdevs=()):
    """Command line of dpdk-testpmd alone, with lcores 0 to 3 on one CPU; prints line by line."""
    cpu = min(os.sched_getaffinity(0))
    return ["stdbuf", "-oL", DEBIAN, f"--lcores=(0-3)@{cpu}", *EAL,
            *(word for vdev in vdevs for word in ("--vdev", vdev)), "--",
            "--total-num-mbufs=8192", *options]


def said(text):
    """The lines of a session but for prompts, and for what the EAL and drivers say."""
    return {line.rstrip() for line in text.splitlines()
            if line.strip() and not line.startswith(("testpmd>", "EAL:", "testpmd:"))}


@contextlib.contextmanager
def stage_plugin():
    """Our driver in a folder that the EAL trusts: root's, 0755, and so are all above it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="csum-plugin-", dir="/opt"))
    folder.chmod(0o755)
    for source in (BUILD / "drivers/net-soft-csum/librte_net_soft_csum.so",
                   BUILD / "lib/csum/libdpdk_csum.so.0"):
        shutil.copy(source, folder)
    yield folder / "librte_net_soft_csum.so"
    shutil.rmtree(folder)


def sections(text, commands):
    """What each command at the prompt, one after the other, has printed: [[line, ...], ...]"""
    found = []
    for line in text.splitlines():
        if len(found) < len(commands) and line == "testpmd> " + commands[len(found)]:
            found.append([])
        elif found:
            found[-1].append(line.rstrip())
    return found


def count_records(path):
    """Whole records in a capture that is being written."""
    try:
        return len(read_pcap(path)[2])
    except Exception:  # cut in the middle of a record, or not there yet
        return -1


def pcap_port(source, sink):
    return f"net_pcap0,rx_pcap={source},tx_pcap={sink}"


def forward(tmp_path, make_command, frames, commands, nb_out, soft_csum=True, options=(),
            env=None):
    """Forward frames through net_soft_csum over net_pcap, or net_pcap alone, to itself.

    -> (frames on the wire, all that was printed)
    """
    source = write_pcap(tmp_path / "in.pcap", [record(frame) for frame in frames])
    sink = tmp_path / "wire.pcap"
    sink.unlink(missing_ok=True)
    vdevs = [pcap_port(source, sink)]
    if soft_csum:
        vdevs.append("net_soft_csum0,lower=net_pcap0")
    session = Session(make_command("-i", "--no-flush-rx", "--port-topology=loop", *options,
                                   vdevs=vdevs), env)
    session.send(*commands, "start")
    session.wait_until(lambda: count_records(sink) >= nb_out, f"{nb_out} frames on the wire")
    status, text = session.end("stop", "quit")
    assert status == 0, text
    return [rec.data for rec in read_pcap(sink)[2]], text


def verdicts_by_reference(tmp_path, frames):
    """All verdicts of the reference on frames: {column: set of verdicts}"""
    path = write_pcap(tmp_path / "judged.pcap", [record(frame) for frame in frames])
    done = subprocess.run([REF_JUDGE, path], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    return {column: {verdict for line in lines[1:] for verdict in line[i].split(",")} - {"-"}
            for i, column in enumerate(lines[0]) if i > 0}


def bad_by_tshark(tmp_path, frames):
    """Numbers of the frames in which tshark finds a wrong checksum."""
    path = write_pcap(tmp_path / "witnessed.pcap", [record(frame) for frame in frames])
    checks = ["ip", "tcp", "udp"]
    command = [TSHARK, "-n", "-r", path, "-T", "fields", "-e", "frame.number", "-Y",
               " || ".join(f"{name}.checksum.status == 0" for name in checks)]
    for name in checks:
        command += ["-o", f"{name}.check_checksum:TRUE"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()


def tcp_by_tshark(tmp_path, frames):
    """[(sequence number, status of the checksum)] of the innermost TCP header of each frame."""
    path = write_pcap(tmp_path / "witnessed.pcap", [record(frame) for frame in frames])
    command = [TSHARK, "-n", "-r", path, "-T", "fields", "-E", "occurrence=l",
               "-o", "tcp.check_checksum:TRUE", "-e", "tcp.seq_raw", "-e", "tcp.checksum.status"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    pairs = (line.split("\t") for line in done.stdout.splitlines())
    return [(int(seq or -1), status) for seq, status in pairs]


def asan_env(library):
    """Environment for a foreign program to load a library of ours, sanitizers included."""
    env = dict(os.environ, LD_LIBRARY_PATH=str(pathlib.Path(library).parent))
    needed = subprocess.run(["ldd", library], capture_output=True, text=True, env=env,
                            check=True).stdout
    preload = [line.split(" => ")[1].split()[0] for line in needed.splitlines()
               if line.strip().startswith(("libasan", "libubsan")) and " => " in line]
    if preload:
        env["LD_PRELOAD"] = ":".join(preload)
    return env
