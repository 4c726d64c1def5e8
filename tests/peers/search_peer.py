"""The sides of mctx and OpenSpiel: `search_peer.py mctx|mctx+pgx|open_spiel < names of work`.

All evaluations are uniform: every legal move has the same prior, every position the value 0. `mctx` is the tree alone:
its positions are numbers, which cost nothing, with as many legal moves as a position of data/bench has on average.
`mctx+pgx` searches shogi by the rules of pgx, without input planes, and plays the moves; a few plies are enough, since
its time does not depend on the position. `open_spiel` searches every position of random games by its rules in C++
with its tree in Python: its tree in C++ takes no evaluation but games played out. All runs on one core and is compiled
before it is timed; batches are as large as is fastest for each.
"""

import os
import sys
import time

side = sys.argv[1]
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

# Legal moves of a position: the most, and the mean of those of data/bench.
MOST_MOVES, MEAN_MOVES = 593, 62
# Plies of a game at most: the mean of ours.
MAX_PLIES = 240


def mctx_work(simulations, batch, searches, with_rules):
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    never = jnp.finfo(jnp.float32).min
    env = pgx.make("shogi")

    def without_planes(states):
        return states.replace(observation=jnp.zeros(batch, jnp.bool_))

    def step(states, actions):
        return without_planes(jax.vmap(env.step)(states, actions)) if with_rules else states + actions

    def illegal(states):
        if with_rules:
            return ~states.legal_action_mask
        return jnp.tile(jnp.arange(MOST_MOVES) >= MEAN_MOVES, (batch, 1))

    def logits(states):
        return jnp.where(illegal(states), never, 0.0)

    def expand(params, key, actions, states):
        after, reward, discount = step(states, actions), jnp.zeros(batch), -jnp.ones(batch)
        if with_rules:
            reward = after.rewards[jnp.arange(batch), states.current_player]
            discount = jnp.where(after.terminated, 0.0, -1.0)
        answer = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=logits(after), value=jnp.zeros(batch)
        )
        return answer, after

    @jax.jit
    def play(states, key):
        root = mctx.RootFnOutput(prior_logits=logits(states), value=jnp.zeros(batch), embedding=states)
        found = mctx.gumbel_muzero_policy(
            (), key, root, expand, simulations, illegal(states), max_num_considered_actions=8
        )
        return step(states, found.action)

    keys = jax.random.split(jax.random.PRNGKey(1), searches)
    start = jnp.zeros(batch, jnp.int32)
    if with_rules:
        start = without_planes(jax.jit(jax.vmap(env.init))(jax.random.split(keys[0], batch)))

    def work():
        states = start
        for key in keys:
            states = play(states, key)
        jax.block_until_ready(states)
        return "-", searches * batch * simulations

    work()
    return work


def open_spiel_work(simulations, games):
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    class Uniform(mcts.Evaluator):
        def evaluate(self, state):
            return np.zeros(2)

        def prior(self, state):
            actions = state.legal_actions()
            return [(action, 1.0 / len(actions)) for action in actions]

    shogi, puct = pyspiel.load_game("shogi"), mcts.SearchNode.puct_value

    def work():
        random, units = np.random.RandomState(1), 0
        bot = mcts.MCTSBot(
            shogi, 1.25, simulations, Uniform(), solve=False, random_state=random, child_selection_fn=puct
        )
        for _ in range(games):
            state = shogi.new_initial_state()
            while not state.is_terminal() and state.move_number() < MAX_PLIES:
                bot.step(state)
                units += simulations
                state.apply_action(random.choice(state.legal_actions()))
        return "-", units

    return work


few, many = {
    "mctx": lambda: (mctx_work(16, 16, 32, False), mctx_work(200, 1, 20, False)),
    "mctx+pgx": lambda: (mctx_work(16, 1, 16, True), mctx_work(200, 1, 2, True)),
    "open_spiel": lambda: (open_spiel_work(16, 4), open_spiel_work(200, 1)),
}[side]()
works = {"lockstep_plain_n16": few, "lockstep_plain_n200": many}
print(*works, flush=True)
for line in sys.stdin:
    work = works[line.strip()]
    # Of all threads.
    start = time.process_time_ns()
    result, units = work()
    print(result, units, time.process_time_ns() - start, flush=True)
