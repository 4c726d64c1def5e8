"""Events with engines that fail in every way: `engines.py KEIKO [--games N]`.

Each kind of bad engine, a shell script with a child of its own, plays an event against the greedy player. Ends with 0 if
every game has a result with the fault's name, the bad engine lost all of them, and no process is left.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("keiko")
parser.add_argument("--games", type=int, default=100, help="games of each kind, an even number")
parser.add_argument("--concurrency", type=int, default=8, help="games at a time")
options = parser.parse_args()

# What an engine does at `go`, and the fault that its game then ends by.
KINDS = {
    "exits": ("exit 7", "crash"),
    "segfaults": ("kill -SEGV $$", "crash"),
    "closes its output": ("exec >&-", "crash"),
    "is killed": ("kill -KILL $$", "crash"),
    "says nothing": ("true", "silence"),
    "floods its output": ("while echo info depth 1 score cp 1 pv 7g7f; do :; done", "silence"),
    "ignores signals": ("trap '' TERM INT HUP QUIT; while :; do sleep 1; done", "silence"),
    "floods stderr and exits": ("head -c 5000000 /dev/zero >&2; exit 1", "crash"),
    "talks": ("echo hello; echo world", "garbage"),
    "plays no move": ("echo bestmove banana", "garbage"),
    "plays an illegal move": ("echo bestmove 1a1b", "illegal_move"),
    "answers only stop": ("while read -r stop; do echo bestmove resign; break; done", "time_loss"),
}
# In no other program's arguments.
MARK = f"7{os.getpid():06}"


def script(on_go, child):
    return (
        'while read -r line; do case "$line" in usi) echo "id name bad"; echo usiok;; isready) echo readyok;; '
        f"go*) {child} & {on_go};; quit) exit;; esac; done"
    )


def event(folder, on_go):
    # The child keeps the engine's output open, unless that is what the fault is about.
    child = f"sleep {MARK}" + (" >/dev/null" if ">&-" in on_go else "")
    path = folder / "event.toml"
    path.write_text(f"""
[[engine]]
name = "bad"
command = "/bin/sh"
args = ["-c", '''{script(on_go, child)}''']
nodes = 1
[[engine]]
name = "greedy"
reference = "greedy"
anchor = 0.0
[schedule]
kind = "round_robin"
games = {options.games}
concurrency = {options.concurrency}
batch_games = 4
margin_ms = 0
start_patience_ms = 60000
nodes_patience_ms = 1000
seed = 1
replay_draws = "off"
replay_time = "fresh"
max_replays = 0
[schedule.openings]
source = "random"
plies = 4
[rules]
impasse = "csa27"
declaration = "manual"
max_plies = 160
[rules.draw_values]
sennichite = 0.5
jishogi = 0.5
max_plies = 0.5
""")
    return path


def left():
    """Processes of bad engines and their children."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
            words = (process / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z" and MARK.encode() in words:
            found.append(int(process.name))
    return found


broken = 0
for kind, (on_go, fault) in KINDS.items():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        play = [options.keiko, "gauntlet", event(folder, on_go), "--out", folder / "out", "--json"]
        start = time.monotonic()
        done = subprocess.run(play, capture_output=True, text=True)
        took = time.monotonic() - start
        problems = []
        if done.returncode != 0:
            problems.append(f"ended with {done.returncode}: {done.stderr.strip()}")
        else:
            table = json.loads(done.stdout)
            bad = next(row for row in table["engines"] if row["engine"] == "bad")
            if table["finished"] != options.games or bad["score"] != 0:
                problems.append(f"{table['finished']} results, a score of {bad['score']}")
            if bad["faults"] != {fault: options.games}:
                problems.append(f"faults {bad['faults']}, not {fault}")
        if left():
            problems.append(f"left the processes {left()}")
        broken += bool(problems)
        state = f"BROKEN: {'; '.join(problems)}" if problems else f"{options.games} games, each ended by {fault}"
        print(f"engines: {kind}: {state}, in {took:.0f} s", flush=True)
print(f"engines: {len(KINDS)} kinds x {options.games} games, {broken} kinds broken")
sys.exit(1 if broken else 0)
