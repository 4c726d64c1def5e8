//! The list of all work.

use crate::count::{Count, MATSURI, MOST_MOVES, listed, played};
use crate::lockstep::{self, Lockstep};
use crate::{Inputs, boards, mates, planes, playouts, searches};

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// What came out: the same whatever is faster.
    pub result: u64,
    /// How many of [`Work::unit`] it took.
    pub units: u64,
}

/// A piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Its name, such as `generate`.
    pub name: &'static str,
    /// What one unit of it is, such as `position`.
    pub unit: &'static str,
    /// What must come out.
    pub result: u64,
    /// Whether it takes seconds, so that it is left out unless it is named.
    pub is_large: bool,
    run: fn(&mut Inputs) -> Done,
}

impl Work {
    /// Does it.
    // `scripts/bench-instructions` counts what is executed inside this function.
    #[inline(never)]
    pub fn run(&self, inputs: &mut Inputs) -> Done {
        (self.run)(inputs)
    }

    /// The work of this name.
    pub fn by_name(name: &str) -> Option<&'static Work> {
        WORKS.iter().chain(&SEARCHES).find(|work| work.name == name)
    }
}

/// All work of the core. `bulk` counts the moves of the last ply from the list, `full` plays each of them.
pub const WORKS: [Work; 15] = [
    perft("perft_start_d5_bulk", 19_861_490, |_| listed(Count { sfen: None, depth: 5 })),
    large("perft_start_d6_bulk", 547_581_517, |_| listed(Count { sfen: None, depth: 6 })),
    perft("perft_start_d4_full", 719_731, |_| played(Count { sfen: None, depth: 4 })),
    large("perft_start_d5_full", 19_861_490, |_| played(Count { sfen: None, depth: 5 })),
    perft("perft_matsuri_d3_bulk", 4_809_015, |_| listed(Count { sfen: Some(MATSURI), depth: 3 })),
    large("perft_matsuri_d4_bulk", 516_925_165, |_| {
        listed(Count { sfen: Some(MATSURI), depth: 4 })
    }),
    perft("perft_most_moves_d3_bulk", 53_393_368, |_| {
        listed(Count { sfen: Some(MOST_MOVES), depth: 3 })
    }),
    per("generate", "position", GENERATED, boards::generate),
    per("make_unmake", "move", CHECKS, boards::make_unmake),
    per("playout_ply", "ply", PLAYED, playouts::play),
    per("mate_in_one", "position", MATES, mates::find),
    per("planes_packed", "position", PACKED, planes::packed),
    per("planes_packed_keiko_1", "position", PACKED_KEIKO_1, planes::packed_keiko_1),
    per("planes_f32", "position", UNPACKED, planes::unpacked),
    Work { is_large: true, ..per("planes_sum", "position", SUM, planes::sum) },
];

/// Searches alone, and games searched in lockstep with `n` simulations a move: without planes and mates, with packed planes and mates in
/// one at the leaves, and with mates in three besides.
pub const SEARCHES: [Work; 5] = [
    searched("select_apply_n16", SEARCHED, searches::select_apply),
    searched("lockstep_plain_n16", PLAIN_N16, |_| lockstep::play(Lockstep::PLAIN_N16)),
    searched("lockstep_plain_n200", PLAIN_N200, |_| lockstep::play(Lockstep::PLAIN_N200)),
    searched("lockstep_planes_mate1_n16", PLANES_MATE1_N16, |_| {
        lockstep::play(Lockstep::PLANES_MATE1_N16)
    }),
    searched("lockstep_mate3_n16", MATE3_N16, |_| lockstep::play(Lockstep::MATE3_N16)),
];

/// Legal moves of all positions.
const GENERATED: u64 = 62_475;
/// Checks among these moves.
const CHECKS: u64 = 2_526;
/// Legal moves of all positions of the games.
const PLAYED: u64 = 4_130_410;
/// Sum of the numbers, from 1, of the positions with a mate.
const MATES: u64 = 17_567;
/// A checksum of some bytes of the rows.
const PACKED: u64 = 10_810_867_303_463_883_099;
/// The same for the encoding `keiko-1`.
const PACKED_KEIKO_1: u64 = 17_004_812_954_931_786_461;
/// How many of some values of the planes are 1.
const UNPACKED: u64 = 5_351;
/// Sum of the places, from 1, of all ones of the planes.
const SUM: u64 = 2_876_284_122;

/// Checksums of the best moves of all searches, and in lockstep of the number of evaluations too.
const SEARCHED: u64 = 767_216_141_715_045_455;
const PLAIN_N16: u64 = 13_240_014_260_529_925_171;
const PLAIN_N200: u64 = 4_031_576_869_046_498_709;
const PLANES_MATE1_N16: u64 = 10_802_127_594_533_977_878;
const MATE3_N16: u64 = 599_224_419_454_498_922;

const fn perft(name: &'static str, result: u64, run: fn(&mut Inputs) -> Done) -> Work {
    Work { name, unit: "node", result, is_large: false, run }
}

const fn searched(name: &'static str, result: u64, run: fn(&mut Inputs) -> Done) -> Work {
    per(name, "simulation", result, run)
}

const fn large(name: &'static str, result: u64, run: fn(&mut Inputs) -> Done) -> Work {
    Work { is_large: true, ..perft(name, result, run) }
}

const fn per(
    name: &'static str,
    unit: &'static str,
    result: u64,
    run: fn(&mut Inputs) -> Done,
) -> Work {
    Work { name, unit, result, is_large: false, run }
}
