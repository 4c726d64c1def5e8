"""The sides of cshogi and python-shogi: `python_peer.py cshogi|python-shogi < names of work`.

The positions are read from the files named after the side. Figures include the interpreter's own time.
"""

import sys
import time

side, files = sys.argv[1], sys.argv[2:]
sfens = [line for file in files for line in open(file).read().splitlines() if not line.startswith("#")]


def cshogi_works():
    import cshogi
    import numpy as np
    from cshogi import dlshogi

    boards = [cshogi.Board(sfen) for sfen in sfens]
    first = np.zeros((dlshogi.FEATURES1_NUM, 9, 9), np.float32)
    second = np.zeros((dlshogi.FEATURES2_NUM, 9, 9), np.float32)

    def generate():
        return sum(len(list(board.legal_moves)) for board in boards), len(boards)

    def mate_in_one():
        quiet = [(number, board) for number, board in enumerate(boards, 1) if not board.is_check()]
        return sum(number for number, board in quiet if board.mate_move_in_1ply()), len(quiet)

    def planes():
        make = dlshogi.make_input_features
        for board in boards:
            make(board, first, second)
        return "-", len(boards)

    def planes_sum():
        total = 0
        for board in boards:
            dlshogi.make_input_features(board, first, second)
            values = np.concatenate((first.ravel(), second.ravel()))
            assert np.isin(values, (0, 1)).all()
            total += int((np.flatnonzero(values) + 1).sum())
        return total, len(boards)

    return {
        "generate": generate,
        "mate_in_one": mate_in_one,
        "planes_packed": planes,
        "planes_f32": planes,
        "planes_sum": planes_sum,
    }


def python_shogi_works():
    import shogi

    some = [shogi.Board(sfen) for sfen in sfens]

    def generate():
        return sum(sum(1 for _ in board.legal_moves) for board in some), len(some)

    return {"generate": generate}


works = {"cshogi": cshogi_works, "python-shogi": python_shogi_works}[side]()
print(*works, flush=True)
for line in sys.stdin:
    work = works[line.strip()]
    start = time.thread_time_ns()
    result, units = work()
    print(result, units, time.thread_time_ns() - start, flush=True)
