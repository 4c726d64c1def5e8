"""What `scripts/torture` does to a store and to whole runs: `torture.py PROMISES KEIKO [options]`.

PROMISES is the example of that name of `keiko-store`, KEIKO the program. A store is killed at each of its system calls
that change a file, each of them fails with each error once and for ever, and the power is cut. Runs are killed at random,
damaged, and left without room. Ends with 0 if every promise was kept, and prints what was done; the seed repeats it.
"""

import argparse
import errno
import hashlib
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("promises")
parser.add_argument("keiko")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--cuts", type=int, default=20, help="power cuts of a store")
parser.add_argument("--runs", type=int, default=2, help="whole runs that are killed at random")
parser.add_argument("--kills", type=int, default=8, help="kills of each")
parser.add_argument("--damages", type=int, default=10, help="files of a run that are damaged, one at a time")
parser.add_argument("--hangs", type=int, default=0, help="runs whose device hangs, more than a minute each")
parser.add_argument("--hours", type=float, default=0.0, help="time for which one run is tormented in every way")
parser.add_argument("--errors", default="ENOSPC,EIO", help="errors of system calls")
parser.add_argument("--every", type=int, default=5, help="of the system calls only each so many-th fails")
options = parser.parse_args()
options.promises, options.keiko = (str(Path(p).resolve()) for p in (options.promises, options.keiko))
rng = random.Random(options.seed)
ROUNDS = 5
CHANGES = "openat,write,fsync,fdatasync,rename,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,ftruncate,flock"
TINY = Path(__file__).resolve().parent.parent / "configs" / "tiny.toml"
failures = []


def fail(text):
    print(f"BROKEN: {text}", flush=True)
    failures.append(text)


def content(number):
    return f"{number:03}\n".encode() * 3000


def check_promises(folder, promises, where):
    """Whether a store holds what was promised, and nothing by halves."""
    promised = [line.split() for line in promises.splitlines()]
    last = {}
    for kind, *number in promised:
        if number:
            last[kind] = int(number[0])
    begun_to_delete = last.get("deleting", -1)
    objects = folder / "objects"
    there = set()
    for path in objects.iterdir() if objects.is_dir() else []:
        if path.name.startswith("."):
            continue
        number = int(path.name)
        there.add(number)
        if path.read_bytes() != content(number):
            fail(f"{where}: object {number} is not what was written")
    for number in range(max(0, begun_to_delete + 1), last.get("object", -1) + 1):
        if number not in there:
            fail(f"{where}: object {number} is lost")
    for name, kind in [("replaced.bin", "replacement"), ("status/now.json", None)]:
        path = folder / name
        if path.exists():
            held = path.read_bytes()
            number = int(held[:3] or b"-1")
            if held != content(number):
                fail(f"{where}: {name} is there by halves")
            elif kind and number < last.get(kind, -1):
                fail(f"{where}: {name} is older than promised")
        elif kind and kind in last:
            fail(f"{where}: {name} is lost")
    lines = folder / "lines.txt"
    text = lines.read_text() if lines.exists() else ""
    whole = text.split("\n")[:-1]
    if whole != [f"line {number:03}" for number in range(len(whole))] or len(whole) <= last.get("line", -1):
        fail(f"{where}: lines.txt holds {len(whole)} lines, promised were {last.get('line', -1) + 1}")
    entries = sorted(p.name for p in (folder / "log").iterdir() if p.name[0] != ".") if (folder / "log").is_dir() else []
    if entries != [f"{number:06}.toml" for number in range(len(entries))] or len(entries) <= last.get("entry", -1):
        fail(f"{where}: the log has {entries}, promised was entry {last.get('entry', -1)}")
    for number, name in enumerate(entries):
        # Its first line holds its hash.
        if (folder / "log" / name).read_text().partition("\n")[2] != f"round = {number}\n":
            fail(f"{where}: entry {number} is not what was written")


def check_end(folder, where):
    """Whether the store can go on to its end by itself."""
    done = subprocess.run([options.promises, folder, str(ROUNDS)], capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout.endswith("done\n"):
        fail(f"{where}: going on ends with {done.returncode}: {done.stderr.strip()}")
        return
    everything = "\n".join(f"{kind} {ROUNDS - 1}" for kind in ("object", "line", "replacement", "entry"))
    check_promises(folder, f"{everything}\ndeleting {ROUNDS - 4}", where)
    leftovers = [str(p) for p in folder.rglob(".*.tmp")]
    if leftovers:
        fail(f"{where}: leftovers {leftovers}")


def strace(inject, folder, extra=()):
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={CHANGES}", *inject, *extra]
    return subprocess.run([*command, options.promises, folder, str(ROUNDS)], capture_output=True, text=True)


def calls(work):
    """How often each system call that changes files is made, from the one that opens the store."""
    trace = work / "trace"
    folder = work / "counted"
    command = ["strace", "-f", "-qq", "-o", trace, "-e", f"trace={CHANGES}"]
    subprocess.run([*command, options.promises, folder, str(ROUNDS)], check=True, capture_output=True)
    counts = {}
    for line in trace.read_text().splitlines():
        call = re.match(r"(?:\d+ +)?(\w+)\(", line)
        if call:
            counts[call[1]] = counts.get(call[1], 0) + 1
    return counts


def kills_and_errors(work):
    counts = calls(work)
    kills = errors = 0
    for call, count in counts.items():
        for number in range(1, count + 1):
            where = f"killed at {call} {number}"
            folder = work / "store"
            shutil.rmtree(folder, ignore_errors=True)
            done = strace(["-e", f"inject={call}:signal=KILL:when={number}"], folder)
            check_promises(folder, done.stdout, where)
            check_end(folder, where)
            kills += 1
            if number % options.every or call == "openat":
                continue
            for error in options.errors.split(","):
                for when in (f"{number}", f"{number}+"):
                    # What the program says goes to a pipe by `write` too; only files fail.
                    where = f"{call} {when} fails with {error}"
                    folder = work / "store"
                    shutil.rmtree(folder, ignore_errors=True)
                    done = strace(["-e", f"inject={call}:error={error}:when={when}"], folder)
                    if done.returncode < 0 or "panicked" in done.stderr and "stdout" not in done.stderr:
                        fail(f"{where}: ended with {done.returncode}: {done.stderr.strip()}")
                    check_promises(folder, done.stdout, where)
                    check_end(folder, where)
                    errors += 1
    print(f"torture: killed at each of {kills} system calls; {errors} system calls failed, once and for ever", flush=True)


def power_cuts(work):
    if os.geteuid() != 0:
        print("torture: no power cuts: mounting images needs root")
        return
    image, crash, mount, after = (work / name for name in ("disk.img", "crash.img", "mount", "after"))
    mount.mkdir()
    after.mkdir()
    cuts = 0
    while cuts < options.cuts:
        # Without the kernel's help for programs that forget to sync, and with it.
        mode = ["noauto_da_alloc", "auto_da_alloc"][cuts % 2]
        with open(image, "wb") as file:
            file.truncate(24 << 20)
        subprocess.run(["mkfs.ext4", "-q", image], check=True)
        if subprocess.run(["mount", "-o", f"loop,{mode}", image, mount], capture_output=True).returncode != 0:
            print("torture: no power cuts: this machine mounts no images")
            return
        try:
            child = subprocess.Popen([options.promises, mount / "store", str(ROUNDS)], stdout=subprocess.PIPE)
            time.sleep(rng.uniform(0.0, 0.15))
            # A copy takes a while: what changed meanwhile would be a state in which no disk ever was.
            stop(child)
            os.set_blocking(child.stdout.fileno(), False)
            promises = (child.stdout.read() or b"").decode()
            shutil.copyfile(image, crash)
            child.kill()
            child.wait()
        finally:
            subprocess.run(["umount", "-l", mount], check=True)
        where = f"power cut {cuts} ({mode}, seed {options.seed})"
        subprocess.run(["mount", "-o", "loop", crash, after], check=True)
        try:
            check_promises(after / "store", promises, where)
            check_end(after / "store", where)
        finally:
            subprocess.run(["umount", after], check=True)
        cuts += 1
    print(f"torture: {cuts} power cuts", flush=True)


def stop(child):
    """Stops a process between two system calls."""
    # Popen.send_signal would first look whether it has ended, and take its place in /proc away.
    os.kill(child.pid, signal.SIGSTOP)
    stat = Path(f"/proc/{child.pid}/stat")
    while stat.read_text().rsplit(")", 1)[1].split()[0] not in "TZ":
        time.sleep(0.001)


# What a run has beside what it has made: what depends on the clock or on how often it was started.
BY_CLOCK = ("timing.jsonl", "report.html", "provenance.toml", "events/", "learner/", "config/", "status/", "lock", "checkpoints/")


def made(run):
    """What a run has made: every file with its hash, and the newest checkpoint's without its folder."""
    files = {}
    for path in sorted(run.rglob("*")):
        name = str(path.relative_to(run))
        if path.is_file() and not any(part in name for part in BY_CLOCK):
            files[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    newest = sorted((run / "checkpoints").iterdir())[-1]
    for name in ("state.safetensors", "weights.safetensors"):
        files[f"newest checkpoint's {name}"] = hashlib.sha256((newest / name).read_bytes()).hexdigest()
    return files


def train(run, said=subprocess.PIPE, config=TINY, env=None):
    resume = ["--resume"] if (run / "config" / "000000.toml").exists() else []
    command = [options.keiko, "train", "--config", config, "--run", run, *resume]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, text=True, env=env)


def changed_config(path, key, value):
    """The smallest config with another value of a key of the top."""
    text, count = re.subn(rf"(?m)^{key} = \S+", f"{key} = {value}", TINY.read_text(), count=1)
    assert count == 1, key
    path.write_text(text)
    return path


def to_the_end(run):
    child = train(run)
    _, said = child.communicate()
    return child.returncode, said


def reference(work):
    run = work / "whole" / "run"
    run.parent.mkdir()
    start = time.monotonic()
    code, said = to_the_end(run)
    if code != 0:
        sys.exit(f"torture: the run without torture fails: {said}")
    return run, time.monotonic() - start


def differences(run, whole):
    ours, theirs = made(run), made(whole)
    return sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))


def check_run_ends(run, whole, where):
    """Whether a run can go on to its end, and that is the one of a run that nothing was done to."""
    code, said = to_the_end(run)
    if code != 0:
        fail(f"{where}: the run does not go on: {said}")
    elif differences(run, whole):
        fail(f"{where}: the run differs in {differences(run, whole)}")


def killed_runs(work, whole, seconds):
    kills = 0
    for number in range(options.runs):
        run = work / f"killed{number}" / "run"
        run.parent.mkdir()
        for _ in range(options.kills):
            child = train(run)
            try:
                _, said = child.communicate(timeout=rng.uniform(0.2, seconds))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.communicate()
                kills += 1
                continue
            if child.returncode != 0:
                fail(f"run {number} does not go on after a kill: {said}")
            break
        check_run_ends(run, whole, f"run {number} after kills")
        shutil.rmtree(run.parent)
    print(f"torture: {options.runs} runs killed {kills} times end as the one that was not", flush=True)


def lost_or_doubled(run):
    """What is wrong with the games of a run in `async` mode."""
    entries = sorted((run / "ingest").glob("*.toml"))
    shards = [shard for entry in entries for shard in tomllib.loads(entry.read_text())["shards"]]
    keys = [shard["key"] for shard in shards]
    wrong = [f"{key} entered twice" for key in set(keys) if keys.count(key) > 1]
    wrong += [f"{key} is gone" for key in keys if not (run / key).exists()]
    streams = {}
    for shard in shards:
        streams.setdefault(shard["stream"], []).extend(range(shard["first_index"], shard["last_index"] + 1))
    wrong += [f"games of {stream}: {seen}" for stream, seen in streams.items() if sorted(seen) != list(range(len(seen)))]
    for folder in (run / "games").iterdir():
        there = sorted(path.name for path in folder.glob("*.games"))
        if there != [f"{number:06}.games" for number in range(len(there))]:
            wrong.append(f"shards of {folder.name}: {there}")
    metrics = (run / "metrics.jsonl").read_text()
    candidates = len(list((run / "candidates").glob("*.toml")))
    if metrics.count('{"event":"verdict"') != candidates:
        wrong.append(f"{candidates} candidates have other verdicts in the metrics")
    return wrong


def killed_processes(work, seconds):
    """Runs whose self-play, twice, learner and gate are processes that are killed at random."""
    kills = 0
    config = work / "async.toml"
    config.write_text(TINY.read_text().replace('mode = "sync" ', 'mode = "async" '))
    commands = ("selfplay", "selfplay", "learn", "gate")
    for number in range(options.runs):
        run = work / f"at-once{number}" / "run"
        run.parent.mkdir()
        child = train(run, config=config)
        while child.poll() is None and not (run / "provenance.toml").exists():
            time.sleep(0.001)
        child.kill()
        child.communicate()

        def start(role):
            command = [options.keiko, commands[role], "--run", run]
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

        children = [start(role) for role in range(len(commands))]
        for _ in range(options.kills):
            time.sleep(rng.uniform(0.05, 2 * seconds / options.kills))
            role = rng.randrange(len(commands))
            if children[role].poll() is None:
                children[role].kill()
                children[role].communicate()
                kills += 1
                children[role] = start(role)
        # Where one has failed, the others would wait for it.
        while any(child.poll() is None for child in children) and not any(child.returncode for child in children):
            time.sleep(0.02)
        failed = [role for role, child in enumerate(children) if child.returncode]
        for child in children:
            child.kill()
        said = [child.communicate()[1] for child in children]
        for role in failed:
            fail(f"run {number} at once: {commands[role]} does not go on after kills: {said[role]}")
        wrong = [] if failed else lost_or_doubled(run)
        if wrong:
            fail(f"run {number} at once after kills (seed {options.seed}): {wrong}")
        shutil.rmtree(run.parent)
    print(f"torture: {options.runs} runs of four processes, of which {kills} were killed, lost and doubled no game", flush=True)


# A process that there cannot be.
GONE = 1 << 30


def half_a_run(work, seconds):
    """A run in the middle, to be damaged."""
    run = work / "half" / "run"
    run.parent.mkdir()
    child = train(run)
    while child.poll() is None and not list((run / "candidates").glob("*.toml")):
        time.sleep(0.02)
    child.kill()
    child.communicate()
    return run


def damage(path, kinds=("cut", "flip", "empty", "delete")):
    """Damages a file, or leaves beside it half of what a writer that is dead had begun; says how."""
    kind = rng.choice(kinds)
    held = path.read_bytes()
    if kind == "leftover":
        (path.parent / f".{path.name}.{GONE}-0.tmp").write_bytes(held[: rng.randrange(len(held) + 1)])
    elif kind == "delete":
        path.unlink()
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "cut" and held:
        path.write_bytes(held[: rng.randrange(len(held))])
    elif held:
        place = rng.randrange(len(held))
        path.write_bytes(held[:place] + bytes([held[place] ^ (1 << rng.randrange(8))]) + held[place + 1 :])
    return kind


def damaged_runs(work, whole, seconds):
    half = half_a_run(work, seconds)
    named = refused = mended = 0
    for number in range(options.damages):
        run = work / f"damaged{number}" / "run"
        run.parent.mkdir()
        shutil.copytree(half, run)
        victims = [p for p in sorted(run.rglob("*")) if p.is_file() and not any(s in str(p) for s in ("status/", "events/", "lock", "timing", "report", "provenance"))]
        victim = rng.choice(victims)
        name = str(victim.relative_to(run))
        kind = damage(victim, ("cut", "flip", "empty", "delete", "leftover"))
        where = f"damage {number} ({kind} {name}, seed {options.seed})"
        code, said = to_the_end(run)
        if code != 0:
            # What a file speaks of may be named in its place, such as a model that a damaged candidate has lost.
            words = (name, Path(name).name, Path(name).parent.name, "metrics", "ingest")
            named, refused = named + any(word in said for word in words), refused + 1
            if not any(word in said for word in words):
                print(f"torture: {where} is refused by another name: {said.strip().splitlines()[-1]}", flush=True)
            if "panicked" in said or "keiko: " not in said:
                fail(f"{where}: {said}")
        else:
            mended += 1
            wrong = [n for n in differences(run, whole) if n != name]
            if wrong:
                fail(f"{where}: the run went on and differs in {wrong}")
        shutil.rmtree(run.parent)
    print(f"torture: {options.damages} damages: {refused} refused, {named} of them by name, {mended} without effect on what follows", flush=True)


def full_disk(work, whole):
    if os.geteuid() != 0:
        print("torture: no full disk: mounting needs root")
        return
    disk = work / "small"
    disk.mkdir()
    size = sum(p.stat().st_size for p in whole.rglob("*") if p.is_file()) // 2
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], capture_output=True).returncode != 0:
        print("torture: no full disk: this machine mounts none")
        return
    try:
        run = disk / "run"
        log = work / "small.log"
        child, start = train(run, open(log, "w")), time.monotonic()
        while "waiting for room" not in log.read_text() and child.poll() is None and time.monotonic() - start < 300:
            time.sleep(0.1)
        if "waiting for room" not in log.read_text():
            fail(f"a full disk: the run does not wait for room: {log.read_text()}")
            child.kill()
            child.wait()
            return
        subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
        while child.poll() is None and time.monotonic() - start < 600:
            time.sleep(0.1)
        if child.poll() != 0:
            fail(f"a full disk: the run does not end after it: {log.read_text()}")
            child.kill()
            child.wait()
        elif differences(run, whole):
            fail(f"a full disk: the run differs in {differences(run, whole)}")
        else:
            print("torture: a run without room waited, went on when there was some, and ended as one that had it", flush=True)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


# The call of LibTorch that averages the weights after a step, which never comes back.
HANG = """
#include <unistd.h>
void hang(void) __asm__("_ZN2at4_ops12lerp__Scalar4callERNS_6TensorERKS2_RKN3c106ScalarE");
void hang(void) { for (;;) pause(); }
"""


def hung_devices(work, whole):
    if not options.hangs:
        return
    library = work / "hang.so"
    (work / "hang.c").write_text(HANG)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, work / "hang.c"], check=True)
    config = changed_config(work / "hang.toml", "watchdog_minutes", 1)
    for number in range(options.hangs):
        run = work / f"hung{number}" / "run"
        run.parent.mkdir()
        child = train(run, config=config, env={**os.environ, "LD_PRELOAD": str(library)})
        try:
            _, said = child.communicate(timeout=900)
        except subprocess.TimeoutExpired:
            child.kill()
            fail(f"hang {number}: nobody ends the run: {child.communicate()[1]}")
            continue
        expected = "a training step on cpu has not come back for 1 minutes (watchdog_minutes = 1)"
        if child.returncode == 0 or expected not in said:
            fail(f"hang {number}: ended with {child.returncode}: {said}")
        if expected not in (run / "status" / "train.json").read_text():
            fail(f"hang {number}: the heartbeat does not say it")
        check_run_ends(run, whole, f"hang {number}")
        shutil.rmtree(run.parent)
    print(f"torture: {options.hangs} devices hung, which ended the run; it went on as if they had not", flush=True)


def judged(run):
    """Generations that are done."""
    return len(list((run / "gate").glob("*/verdict.toml")))


def up_to(run, generations):
    """What a run has made in its first generations: by name, and its metrics up to the candidate of the last one."""
    files = {}
    models = set()
    for number in range(generations):
        entry = (run / "candidates" / f"{number:06}.toml").read_bytes()
        files[f"candidate {number}"] = entry
        models.add(re.search(rb'model = "(\w+)"', entry)[1].decode())
        for path in sorted((run / "games" / f"g{number:06}").iterdir()):
            files[str(path.relative_to(run))] = path.read_bytes()
        files[f"ingest {number}"] = (run / "ingest" / f"{number:08}.toml").read_bytes()
    for model in models:
        for path in [*(run / "models" / model).iterdir(), *(run / "gate" / model).iterdir()]:
            if path.is_file():
                files[str(path.relative_to(run))] = path.read_bytes()
    lines = (run / "metrics.jsonl").read_bytes().splitlines()
    candidates = [place for place, line in enumerate(lines) if b'"candidate"' in line]
    files["metrics"] = b"\n".join(lines[: candidates[generations - 1]])
    return {name: hashlib.sha256(held).hexdigest() for name, held in files.items()}


def resident(pid):
    """Memory of a process, in MiB."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def live(child, seconds, memory):
    """Lets a process run, and watches its memory once it has warmed up; whether it is still there."""
    start = time.monotonic()
    while time.monotonic() - start < seconds and child.poll() is None:
        time.sleep(0.5)
        if time.monotonic() - start > 10 and child.poll() is None:
            memory.append(resident(child.pid))
    return child.poll() is None


def fill_up(disk, child, log):
    """Takes the disk's room away until the run waits for it, and gives it back."""
    ballast = disk / "ballast"
    # Blocks that are only set aside: the run, which writes on, may get the last ones.
    with open(ballast, "wb") as file:
        size, step = 0, 1 << 30
        while step >= 4096:
            try:
                os.posix_fallocate(file.fileno(), size, step)
                size += step
            except OSError:
                step //= 2
    said, start = log.read_text().count("waiting for room"), time.monotonic()
    while log.read_text().count("waiting for room") == said and child.poll() is None and time.monotonic() - start < 120:
        time.sleep(0.2)
    waited = log.read_text().count("waiting for room") > said
    ballast.unlink()
    return waited


def chaos(work):
    """One run that is killed, stopped, left without room and damaged for hours, and one that is not."""
    if not options.hours:
        return
    config = changed_config(work / "chaos.toml", "generations", 100000)
    disk, image, log = work / "disk", work / "chaos.img", work / "chaos.log"
    disk.mkdir()
    with open(image, "wb") as file:
        file.truncate(64 << 30)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", image], check=True)
    mounted = os.geteuid() == 0 and subprocess.run(["mount", "-o", "loop", image, disk]).returncode == 0
    run, end, memory, done = disk / "run", time.monotonic() + 3600 * options.hours, [], {}
    try:
        while time.monotonic() < end:
            child = train(run, open(log, "a"), config)
            what = rng.choice(["kill", "pause", "full", "damage"])
            alive = live(child, rng.uniform(5, 60), memory)
            if alive and what == "pause":
                stop(child)
                time.sleep(rng.uniform(1, 10))
                os.kill(child.pid, signal.SIGCONT)
                alive = live(child, 5, [])
            elif alive and what == "full" and mounted:
                done["found no room"] = done.get("found no room", 0) + fill_up(disk, child, log)
                alive = live(child, 5, [])
            if not alive:
                fail(f"chaos: the run ended with {child.returncode}: {log.read_text()[-1000:]}")
                break
            child.kill()
            child.wait()
            whole = [p.parent for p in sorted((run / "checkpoints").glob("*/state.toml"))]
            if what == "damage" and len(whole) > 1:
                damage(rng.choice([p for p in sorted(whole[-1].iterdir()) if p.name != "state.toml"]))
            done[what] = done.get(what, 0) + 1
        generations = judged(run)
        calm = work / "calm" / "run"
        calm.parent.mkdir()
        child = train(calm, subprocess.DEVNULL, config)
        while child.poll() is None and judged(calm) < generations:
            time.sleep(0.5)
        child.kill()
        child.wait()
        if generations:
            ours, theirs = up_to(run, generations), up_to(calm, generations)
            wrong = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
            if wrong:
                fail(f"chaos: {generations} generations differ in {wrong}")
        third = len(memory) // 3
        first, last = (statistics.median(part) if part else 0.0 for part in (memory[:third], memory[-third:] if third else []))
        if last > 1.2 * first + 20:
            fail(f"chaos: the memory grew from {first:.0f} to {last:.0f} MiB")
        counts = ", ".join(f"{what} {count}" for what, count in sorted(done.items()))
        print(f"torture: {options.hours} hours of chaos ({counts}): {generations} generations as without, memory {first:.0f} MiB at first and {last:.0f} at last", flush=True)
    finally:
        if mounted:
            subprocess.run(["umount", "-l", disk], check=True)


with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    kills_and_errors(work)
    power_cuts(work)
    whole, seconds = reference(work)
    killed_runs(work, whole, seconds)
    killed_processes(work, seconds)
    damaged_runs(work, whole, seconds)
    full_disk(work, whole)
    hung_devices(work, whole)
    chaos(work)
if failures:
    sys.exit(f"torture: {len(failures)} promises broken (seed {options.seed})")
print(f"torture: every promise was kept (seed {options.seed})")
