#!/usr/bin/env python3
"""Writes mctx.txt: whole searches by mctx with the evaluations of our hashed evaluator and our Gumbel noise.

    python3 -m venv VENV && VENV/bin/pip install mctx==0.0.71 jax==0.10.2
    cargo build -p keiko-mcts --example hashed
    VENV/bin/python crates/mcts/tests/golden/search_by_mctx.py target/debug/examples/hashed > crates/mcts/tests/golden/mctx.txt
"""

import functools
import math
import random
import subprocess
import sys

import jax
import jax.numpy as jnp
import mctx
import numpy as np

jax.config.update("jax_enable_x64", True)

STARTPOS = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MASK = 1 << 64
ILLEGAL = -1e9
# simulations, considered moves, c_scale, rescaling, factor of the noise
GROUPS = [
    (8, 4, 1.0, False, 1.0),
    (8, 4, 0.1, True, 1.0),
    (16, 8, 1.0, False, 1.0),
    (16, 16, 1.0, True, 1.0),
    (32, 8, 1.0, False, 2.0),
    (32, 16, 0.1, True, 1.0),
    (50, 4, 1.0, False, 0.0),
    (64, 8, 1.0, True, 1.0),
    (64, 16, 0.5, False, 1.0),
    (100, 8, 1.0, False, 1.0),
    (100, 16, 0.1, True, 2.0),
    (150, 4, 1.0, False, 1.0),
    (200, 4, 1.0, True, 1.0),
    (200, 16, 1.0, False, 0.0),
]
CASES = 16  # of a group
FORCED = 6  # of these from positions with few moves
FEW_MOVES = 8


class Positions:
    """Positions by number, each evaluated once."""

    def __init__(self, program):
        pipe = subprocess.PIPE
        self.server = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.clear()

    def clear(self):
        self.lines, self.known, self.children = [], {}, {}

    def add(self, line):
        self.lines.append(line)
        return len(self.lines) - 1

    def evaluate(self, number):
        """Value from -1 to 1, moves, logits and SFEN; None where the game is over."""
        if number not in self.known:
            self.server.stdin.write(self.lines[number] + "\n")
            self.server.stdin.flush()
            sfen, _, answer = self.server.stdout.readline().strip().partition("|")
            if sfen == "end":
                self.known[number] = None
            else:
                words = answer.split()
                win, draw, _ = (float(np.float32(word)) for word in words[:3])
                logits = np.array([np.float32(word) for word in words[4::2]], dtype=np.float64)
                self.known[number] = (2 * (win + draw / 2) - 1, words[3::2], logits, sfen)
        return self.known[number]

    def child(self, number, action):
        if (number, action) not in self.children:
            move = self.evaluate(number)[1][action]
            self.children[number, action] = self.add(f"{self.lines[number]} {move}".strip())
        return self.children[number, action]


def xoshiro(seed):
    """xoshiro256++ seeded by SplitMix64, as rand_xoshiro does it."""
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) % MASK
        z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9 % MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % MASK
        state.append(z ^ (z >> 31))
    rotate = lambda x, k: (x << k | x >> (64 - k)) % MASK
    while True:
        yield (rotate((state[0] + state[3]) % MASK, 23) + state[0]) % MASK
        t = (state[1] << 17) % MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= t
        state[3] = rotate(state[3], 45)


def noise(seed, scale, logits):
    """Our Gumbel noise: one number a move, the moves of the highest logits first."""
    stream = xoshiro(seed)
    gumbel = np.zeros(len(logits))
    for move in np.argsort(-logits, kind="stable"):
        unit = ((next(stream) >> 12) + 0.5) / (1 << 52)
        gumbel[move] = np.float32(scale) * np.float32(-math.log(-math.log(unit)))
    return gumbel


def unit_q_with_reduction(tree, node):
    """Q from 0 to 1 as our PUCT has it: an unvisited move at the node's score less 0.2 * sqrt(visited priors)."""
    visited = tree.children_visits[node] > 0
    priors = jax.nn.softmax(tree.children_prior_logits[node])
    mass = jnp.sum(jnp.where(visited, priors, 0.0))
    first = jnp.maximum((tree.node_values[node] + 1) / 2 - 0.2 * jnp.sqrt(mass), 0.0)
    scores = jnp.where(visited, (tree.qvalues(node) + 1) / 2, first)
    return jnp.where(tree.children_prior_logits[node] > ILLEGAL / 2, scores, ILLEGAL)


def search(positions, roots, group, gumbels):
    """mctx's trees of a group's roots, which have ended nowhere, or the numbers of those that have."""
    simulations, considered, c_scale, rescale, _ = group
    width = 600
    over = set()

    def evaluated(numbers):
        values, logits = np.zeros(len(numbers)), np.full((len(numbers), width), ILLEGAL)
        for row, number in enumerate(numbers):
            found = positions.evaluate(int(number))
            if found is None:
                over.add(row)
                continue
            values[row] = found[0]
            logits[row, : len(found[1])] = found[2]
        return values, logits

    def step(actions, numbers):
        children = np.array(
            [
                int(number) if row in over else positions.child(int(number), int(action))
                for row, (action, number) in enumerate(zip(actions, numbers))
            ],
            dtype=np.int32,
        )
        return (*evaluated(children), children)

    def recurrent(_params, _key, action, embedding):
        batch = action.shape[0]
        shapes = (
            jax.ShapeDtypeStruct((batch,), jnp.float64),
            jax.ShapeDtypeStruct((batch, width), jnp.float64),
            jax.ShapeDtypeStruct((batch,), jnp.int32),
        )
        value, logits, children = jax.pure_callback(step, shapes, action, embedding)
        zeros, ones = jnp.zeros(batch), jnp.ones(batch)
        out = mctx.RecurrentFnOutput(
            reward=zeros, discount=-ones, prior_logits=logits, value=value
        )
        return out, children

    values, logits = evaluated(roots)
    invalid = logits <= ILLEGAL / 2
    # mctx's values run from -1 to 1, where without rescaling the same sigma needs half the factor.
    transform = functools.partial(
        mctx.qtransform_completed_by_mix_value,
        value_scale=c_scale if rescale else c_scale / 2,
        maxvisit_init=50.0,
        rescale_values=rescale,
    )
    noise_of = np.zeros_like(logits)
    for row, gumbel in enumerate(gumbels):
        noise_of[row, : len(gumbel)] = gumbel

    @jax.jit
    def run():
        root = mctx.RootFnOutput(
            prior_logits=jnp.asarray(logits),
            value=jnp.asarray(values),
            embedding=jnp.asarray(roots, dtype=jnp.int32),
        )
        tree = mctx.search(
            params=(),
            rng_key=jax.random.PRNGKey(0),
            root=root,
            recurrent_fn=recurrent,
            root_action_selection_fn=functools.partial(
                mctx.gumbel_muzero_root_action_selection,
                num_simulations=simulations,
                max_num_considered_actions=considered,
                qtransform=transform,
            ),
            interior_action_selection_fn=functools.partial(
                mctx.muzero_action_selection, qtransform=unit_q_with_reduction
            ),
            num_simulations=simulations,
            invalid_actions=jnp.asarray(invalid),
            extra_data=mctx.GumbelMuZeroExtraData(root_gumbel=jnp.asarray(noise_of)),
        )
        sigma = jax.vmap(transform, in_axes=[0, None])(tree, tree.ROOT_INDEX)
        plain = functools.partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=1.0,
            maxvisit_init=0.0,
            rescale_values=False,
        )
        completed = jax.vmap(plain, in_axes=[0, None])(tree, tree.ROOT_INDEX)
        summary = tree.summary()
        most = jnp.max(summary.visit_counts, axis=-1, keepdims=True)
        weights = jax.nn.softmax(jnp.where(invalid, ILLEGAL, logits + sigma))
        # As in mctx's gumbel_muzero_policy: the best of the most visited moves.
        worth = jnp.where(summary.visit_counts == most, noise_of + logits + sigma, -jnp.inf)
        best = jnp.argmax(jnp.where(invalid, -jnp.inf, worth), axis=-1)
        return summary, completed / most, weights, best

    return jax.device_get(run()), over


def start(positions, seed, few):
    """A position of a random game that has more than one move, or from 2 to FEW_MOVES."""
    generator = random.Random(seed)
    while True:
        moves, wanted = [], generator.randrange(2, 160)
        for ply in range(300):
            number = positions.add(f"{STARTPOS}|{' '.join(moves)}")
            found = positions.evaluate(number)
            if found is None:
                break
            fits = 2 <= len(found[1]) <= FEW_MOVES if few else len(found[1]) > 1 and ply >= wanted
            if fits:
                return positions.add(f"{found[3]}|")
            moves.append(found[1][generator.randrange(len(found[1]))])


def main():
    positions = Positions(sys.argv[1])
    seed = 0
    for group in GROUPS:
        simulations, considered, c_scale, rescale, scale = group
        # mctx's actions that are no moves count as unvisited ones where it looks for the lowest and highest
        # Q, so with rescaling only cases with unvisited moves can be compared.
        forced = 0 if rescale and considered > 4 else FORCED
        wanted = {False: CASES - forced, True: forced}
        while any(wanted.values()):
            positions.clear()
            numbers, seeds, kinds, gumbels = [], [], [], []
            for few, count in wanted.items():
                for _ in range(count):
                    seed += 1
                    number = start(positions, seed, few)
                    numbers.append(number)
                    seeds.append(seed)
                    kinds.append(few)
                    gumbels.append(noise(seed, scale, positions.evaluate(number)[2]))
            (summary, completed, weights, best), over = search(positions, numbers, group, gumbels)
            for row, number in enumerate(numbers):
                legal = len(positions.evaluate(number)[1])
                all_visited = np.count_nonzero(summary.visit_counts[row]) == legal
                if row in over or wanted[kinds[row]] == 0 or (rescale and all_visited):
                    continue
                wanted[kinds[row]] -= 1
                found = (summary.visit_counts, (completed + 1) / 2, weights)
                result = [part[row] for part in found]
                write(positions.evaluate(number), seeds[row], group, best[row], summary.value[row], result)


def write(position, seed, group, best, value, result):
    simulations, considered, c_scale, rescale, scale = group
    _, legal, _, sfen = position
    visits, q, weights = result
    order = sorted(range(len(legal)), key=lambda move: (-visits[move], -weights[move]))
    unvisited = [move for move in order if visits[move] == 0]
    mixed = f"{q[unvisited[0]]:.6f}" if unvisited else "none"
    print(
        f"case seed {seed} simulations {simulations} considered {considered} c_scale {c_scale:g}"
        f" rescale {'min_max' if rescale else 'none'} scale {scale:g} best {legal[best]}"
        f" score {(value + 1) / 2:.6f} mixed {mixed}"
        f" unvisited {sum(weights[move] for move in unvisited):.6f} sfen {sfen}"
    )
    for move in order:
        if visits[move] > 0:
            print(f"{legal[move]} {int(visits[move])} {q[move]:.6f} {weights[move]:.6f}")


if __name__ == "__main__":
    main()
