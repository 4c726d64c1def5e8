mod error;
mod gumbel;
mod puct;
mod rescale;
mod root_kind;
mod stop;

pub use error::SettingsError;
pub use gumbel::GumbelSettings;
pub use puct::PuctSettings;
pub use rescale::Rescale;
pub use root_kind::RootKind;
pub use stop::StopSettings;

use serde::{Deserialize, Serialize};

/// The `[search]` section of a configuration: everything that stays the same from one search to
/// the next. What differs between searches is in [`SearchLimit`](crate::SearchLimit).
///
/// Scores in all formulas run from 0 (loss) to 1 (win) for the side that chooses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// How moves are chosen at the root. AlphaZero and KataGo: puct; mctx: gumbel.
    pub root: RootKind,
    /// Whether a leaf where the side to move mates at once is a proven win that needs no
    /// evaluation. AlphaZero: no; nshogi: yes (and deeper).
    pub mate_in_one: bool,
    /// Moves that a look for a mate in three plies, by checks, may play at a leaf; 0 = none. Such a
    /// leaf is a proven win too. AlphaZero: none; nshogi: mates in three; dlshogi: in seven.
    pub mate_in_three_nodes: u32,
    /// Moves that a search for a mate by checks may play at the root before every search; 0 = none.
    /// Confirming a mate takes some more. A mate ends the search at once. Where there are no
    /// simulations no mate is looked for either. AlphaZero: none; dlshogi in matches: 100,000 or more.
    pub root_mate_nodes: u32,
    /// Whether a leaf where the side to move may declare (entering king) counts as that result:
    /// a win, or at least a draw. Declarations that the rules make automatic always count.
    /// AlphaZero: no; dlshogi: yes.
    pub declaration: bool,
    /// Whether a leaf whose board occurred before, in the game or on the way to it, with less in the hand of
    /// the side to move counts as won, and with more as lost: nobody wants to repeat for less. The rules do not
    /// end the game there, so it is no proof and the position is not searched on. dlshogi and YaneuraOu: yes;
    /// AlphaZero and nshogi: no.
    pub superior_repetition: bool,
    /// Whether the subtree of a played move is kept for the next search. AlphaZero and KataGo: yes;
    /// mctx and nshogi's self-play: no.
    pub reuse_subtree: bool,
    /// Most expanded positions the tree may hold, 1 or more, and its memory: 800 bytes for each,
    /// which is more than a position of a game takes, and 128 KiB. A full tree keeps searching and
    /// evaluating but grows no further: what has no room is evaluated again at each visit. KataGo
    /// has no limit. While a move is played the part of the tree that is kept takes some memory twice: its moves,
    /// its priors or its edges.
    pub max_nodes: u32,
    /// When a search ends early.
    pub stop: StopSettings,
    /// The Gumbel root; read also when another root is chosen.
    pub gumbel: GumbelSettings,
    /// PUCT: below the root for every root, and the PUCT root; read also when another is chosen.
    pub puct: PuctSettings,
}

impl SearchSettings {
    /// A Gumbel root with the usual constants and nothing that may be left out: no looks for mates,
    /// no declarations, no reuse.
    pub const BARE: Self = Self {
        root: RootKind::Gumbel,
        mate_in_one: false,
        mate_in_three_nodes: 0,
        root_mate_nodes: 0,
        declaration: false,
        superior_repetition: false,
        reuse_subtree: false,
        max_nodes: 100_000,
        stop: StopSettings::NEVER,
        gumbel: GumbelSettings::PAPER,
        puct: PuctSettings::USUAL,
    };

    /// Checks every number against its range.
    ///
    /// # Errors
    /// Names the first field out of its range.
    pub fn validate(&self) -> Result<(), SettingsError> {
        if self.max_nodes == 0 {
            return Err(SettingsError { field: "search.max_nodes", range: "1 or more" });
        }
        self.stop.validate()?;
        self.gumbel.validate()?;
        self.puct.validate()?;
        if self.stop.decided && self.puct.lcb_stdevs > 0.0 {
            let range =
                "false where search.puct.lcb_stdevs is above 0: visits alone decide nothing there";
            return Err(SettingsError { field: "search.stop.decided", range });
        }
        Ok(())
    }
}
