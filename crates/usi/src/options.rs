//! The engine's options. Each does what its name says on any machine; none is there for show.

use std::path::PathBuf;

use keiko_inference::Provider;
use keiko_mcts::{PuctSettings, RootKind, SearchSettings};
use keiko_shogi::ImpasseRule;
use thiserror::Error;

use crate::answer::OptionDeclaration;
use table::TABLE;

mod net_file;
mod table;

pub use net_file::{NetFile, NetSetting, NetSettings, read_net_files};

/// Devices that may evaluate at the same time.
pub const DEVICES: usize = 8;

/// Expanded positions of a search tree that fit into one MiB.
const NODES_PER_MIB: u32 = 1300;

/// The values of all options.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// `USI_Hash`: memory of the search tree, MiB.
    pub hash_mib: u32,
    /// `USI_Ponder`: whether `bestmove` names a move to ponder on.
    pub ponder: bool,
    /// `Threads`: threads that evaluate on the CPU, shared by all batches out at the same time.
    pub threads: u32,
    /// `DNN_Model`: the model's file; a relative path is looked for beside the program. `DNN_Model2` to `DNN_Model8`: those
    /// of the other devices; empty is the first one's.
    pub models: [PathBuf; DEVICES],
    /// `UCT_Threads` to `UCT_Threads8`: batches out at the same time on each device; 0 leaves it idle. On the CPU
    /// there are never more in all than `Threads`.
    pub uct_threads: [u32; DEVICES],
    /// `DNN_Provider`: what of ONNX Runtime computes.
    pub provider: Provider,
    /// `DNN_Batch_Size`: positions evaluated at a time.
    pub batch_size: u32,
    /// `UCT_NodeLimit`: most simulations a move, whatever the clock says.
    pub node_limit: u32,
    /// `NodesLimit` and `Const_Playout`: the same for matches at fixed nodes; 0 is no limit.
    pub nodes_limit: u32,
    /// `Mate_Root_Search`: plies of the longest mate that is looked for beside every search; 0 is none.
    pub mate_plies: u32,
    /// `DfPn_Hash`: memory of the search for mates, MiB.
    pub mate_hash_mib: u32,
    /// `Root_Search`: how moves are chosen at the root of a search whose end is known, by its clock or its nodes. Others, and
    /// those of some moves only or that show several lines, choose by PUCT.
    pub root: RootKind,
    /// `Softmax_Temperature`: temperature of the policy, percent.
    pub softmax_temperature_percent: u32,
    /// `C_init` below the root, percent.
    pub c_init_percent: u32,
    /// `C_base` below the root, visits.
    pub c_base_visits: u32,
    /// `C_fpu_reduction` below the root, percent.
    pub fpu_reduction_percent: u32,
    /// `C_init_root`, percent.
    pub root_c_init_percent: u32,
    /// `C_base_root`, visits.
    pub root_c_base_visits: u32,
    /// `C_fpu_reduction_root`, percent.
    pub root_fpu_reduction_percent: u32,
    /// `ReuseSubtree`: whether the tree is kept from move to move.
    pub reuse_subtree: bool,
    /// `Eval_Coef`: centipawns of one unit of log-odds of the win rate.
    pub eval_coef: u32,
    /// `Resign_Threshold`: resign when the win rate is this or less, per mille; 0 is never.
    pub resign_threshold_permille: u32,
    /// `Draw_Value_Black`: what a draw is worth to the engine when it plays Black, per mille.
    pub draw_value_black_permille: u32,
    /// `Draw_Value_White`: the same when it plays White, per mille.
    pub draw_value_white_permille: u32,
    /// `MaxMovesToDraw` and `Draw_Ply`: the game is drawn after this many plies; 0 is never.
    pub max_plies: u16,
    /// `EnteringKingRule`.
    pub impasse: ImpasseRule,
    /// `NetworkDelay`: time kept back on every move, milliseconds; with its margin never more than 3/4 of a byoyomi.
    pub network_delay_ms: u32,
    /// `Byoyomi_Margin`: time kept back besides on moves with byoyomi, milliseconds.
    pub byoyomi_margin_ms: u32,
    /// `Time_Margin`: main time never used without byoyomi, milliseconds.
    pub time_margin_ms: u32,
    /// `OwnBook` and `USI_OwnBook`: whether moves are played from the book.
    pub own_book: bool,
    /// `Book_File` and `BookFile`: the book; a relative path is looked for beside the program.
    pub book_file: PathBuf,
    /// `Best_Book_Move`: whether the book's best move is played, and not one by chance.
    pub best_book_move: bool,
    /// `MultiPV`: lines shown.
    pub multi_pv: u32,
    /// `PV_Interval`: time between two reports of one search, milliseconds; 0 shows the last one only.
    pub pv_interval_ms: u32,
}

/// The options that a net's files may set: those that say how to search with it.
const NET_OPTIONS: [&str; 14] = [
    "Root_Search",
    "Softmax_Temperature",
    "C_init",
    "C_base",
    "C_fpu_reduction",
    "C_init_root",
    "C_base_root",
    "C_fpu_reduction_root",
    "Eval_Coef",
    "Resign_Threshold",
    "Draw_Value_Black",
    "Draw_Value_White",
    "MaxMovesToDraw",
    "Draw_Ply",
];

/// Why an option was not set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name} takes {expected}, not {value:?}")]
pub struct OptionError {
    /// The option.
    pub name: &'static str,
    /// What it takes.
    pub expected: String,
    /// What it was given.
    pub value: String,
}

impl Options {
    /// All options at their defaults.
    pub fn defaults() -> Options {
        Options {
            hash_mib: 256,
            ponder: false,
            threads: 1,
            models: std::array::from_fn(|device| {
                PathBuf::from(if device == 0 { "model.onnx" } else { "" })
            }),
            uct_threads: std::array::from_fn(|device| if device == 0 { 2 } else { 0 }),
            provider: Provider::Cpu,
            batch_size: 4,
            node_limit: 10_000_000,
            nodes_limit: 0,
            mate_plies: 33,
            mate_hash_mib: 64,
            root: RootKind::Gumbel,
            softmax_temperature_percent: 174,
            c_init_percent: 144,
            c_base_visits: 28_288,
            fpu_reduction_percent: 27,
            root_c_init_percent: 116,
            root_c_base_visits: 25_617,
            root_fpu_reduction_percent: 0,
            reuse_subtree: true,
            eval_coef: 756,
            resign_threshold_permille: 10,
            draw_value_black_permille: 500,
            draw_value_white_permille: 500,
            max_plies: 0,
            impasse: ImpasseRule::Csa27,
            network_delay_ms: 120,
            byoyomi_margin_ms: 0,
            time_margin_ms: 1000,
            own_book: false,
            book_file: PathBuf::new(),
            best_book_move: true,
            multi_pv: 1,
            pv_interval_ms: 500,
        }
    }

    /// What `usi` lists: every option with these values as its defaults.
    pub fn declarations(&self) -> Vec<OptionDeclaration> {
        TABLE
            .iter()
            .map(|entry| OptionDeclaration {
                name: entry.name.to_owned(),
                kind: entry.field.kind(self),
            })
            .collect()
    }

    /// The search these options ask for, with the root for searches whose end can be planned for; nothing random.
    pub fn search_settings(&self) -> SearchSettings {
        let percent = |value: u32| value as f32 / 100.0;
        SearchSettings {
            root: self.root,
            mate_in_one: true,
            declaration: true,
            reuse_subtree: self.reuse_subtree,
            max_nodes: self.hash_mib.saturating_mul(NODES_PER_MIB),
            puct: PuctSettings {
                c_init: percent(self.c_init_percent),
                c_base: self.c_base_visits as f32,
                fpu_reduction: percent(self.fpu_reduction_percent),
                root_c_init: percent(self.root_c_init_percent),
                root_c_base: self.root_c_base_visits as f32,
                root_fpu_reduction: percent(self.root_fpu_reduction_percent),
                dirichlet_fraction: 0.0,
                ..PuctSettings::USUAL
            },
            ..SearchSettings::BARE
        }
    }

    /// These options with what the files beside a net say of it, and what was wrong there. As dlshogi does, only options that
    /// still have their values of `defaults` are changed; of two settings of one option the first counts.
    pub fn with_net(
        &self,
        defaults: &Options,
        settings: &[NetSetting],
    ) -> (Options, Vec<OptionError>) {
        let (mut options, mut errors) = (self.clone(), Vec::new());
        for (at, setting) in settings.iter().enumerate() {
            let entry = TABLE.iter().find(|entry| entry.name == setting.name);
            let Some(entry) = entry.filter(|entry| NET_OPTIONS.contains(&entry.name)) else {
                continue;
            };
            let untouched = entry.field.kind(self) == entry.field.kind(defaults);
            let first = settings[..at].iter().all(|earlier| earlier.name != setting.name);
            if untouched
                && first
                && let Err(error) = options.set(&setting.name, &setting.value)
            {
                errors.push(error);
            }
        }
        (options, errors)
    }

    /// Whether there is an option of this name.
    pub fn knows(name: &str) -> bool {
        TABLE.iter().any(|entry| entry.name == name)
    }

    /// Sets one option. An unknown name is ignored, as GUIs set options that were never declared.
    ///
    /// # Errors
    /// The value is not one the option takes; it keeps its old one.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match TABLE.iter().find(|entry| entry.name == name) {
            None => Ok(()),
            Some(entry) => entry.field.set(self, value).map_err(|expected| OptionError {
                name: entry.name,
                expected,
                value: value.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::answer::OptionKind;

    #[test]
    fn names_are_unique_and_have_no_spaces() {
        let names: Vec<String> =
            Options::defaults().declarations().into_iter().map(|option| option.name).collect();
        let unique: BTreeSet<&String> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
        assert!(names.iter().all(|name| !name.contains(' ')), "{names:?}");
        for needed in ["USI_Hash", "USI_Ponder", "DNN_Model", "MaxMovesToDraw", "Draw_Ply"] {
            assert!(names.iter().any(|name| name == needed), "{needed}");
        }
    }

    #[test]
    fn every_option_takes_its_default_and_refuses_nonsense() {
        for option in Options::defaults().declarations() {
            let mut options = Options::defaults();
            let (default, nonsense) = match option.kind {
                OptionKind::Check { default } => (default.to_string(), Some("maybe".to_owned())),
                OptionKind::Spin { default, min, max } => {
                    assert!((min..=max).contains(&default), "{}", option.name);
                    assert!(options.set(&option.name, &(min - 1).to_string()).is_err());
                    options.set(&option.name, &min.to_string()).unwrap();
                    options.set(&option.name, &max.to_string()).unwrap();
                    (default.to_string(), Some((max + 1).to_string()))
                }
                OptionKind::Combo { default, choices } => {
                    assert!(choices.contains(&default), "{}", option.name);
                    (default, Some("nothing".to_owned()))
                }
                OptionKind::Text { default } | OptionKind::File { default } => (default, None),
                OptionKind::Button => unreachable!("there are no buttons"),
            };
            options.set(&option.name, &default).unwrap();
            assert_eq!(options, Options::defaults(), "{}", option.name);
            if let Some(nonsense) = nonsense {
                assert!(options.set(&option.name, &nonsense).is_err(), "{}", option.name);
                assert_eq!(options, Options::defaults(), "{}", option.name);
            }
        }
    }

    #[test]
    fn unknown_options_are_ignored_and_errors_say_what_is_wanted() {
        let mut options = Options::defaults();
        assert_eq!(options.set("Skill_Level", "3"), Ok(()));
        assert_eq!(options, Options::defaults());
        let error = options.set("MultiPV", "many").unwrap_err();
        assert_eq!(error.to_string(), "MultiPV takes a number from 1 to 600, not \"many\"");
    }

    #[test]
    fn a_nets_files_change_what_nobody_has_set() {
        let defaults = Options::defaults();
        let settings: Vec<NetSetting> = [
            ("Softmax_Temperature", "100"),
            ("C_init", "125"),
            ("C_init", "130"),
            ("Eval_Coef", "0"),
            ("DNN_Model", "/etc/passwd"),
            ("ModelArchitecture", "dlshogi-WCSC35"),
        ]
        .map(|(name, value)| NetSetting { name: name.to_owned(), value: value.to_owned() })
        .into();
        let (options, errors) = defaults.with_net(&defaults, &settings);
        assert_eq!((options.softmax_temperature_percent, options.c_init_percent), (100, 125));
        assert_eq!(options.models, defaults.models);
        assert_eq!(errors.len(), 1, "{errors:?}");
        let asked = Options { c_init_percent: 99, ..Options::defaults() };
        let (options, _) = asked.with_net(&defaults, &settings);
        assert_eq!((options.softmax_temperature_percent, options.c_init_percent), (100, 99));
    }

    #[test]
    fn both_names_of_the_move_limit_set_it() {
        let mut options = Options::defaults();
        options.set("MaxMovesToDraw", "320").unwrap();
        assert_eq!(options.max_plies, 320);
        options.set("Draw_Ply", "256").unwrap();
        assert_eq!(options.max_plies, 256);
    }

    #[test]
    fn entering_king_rules_have_two_spellings() {
        let mut options = Options::defaults();
        for (value, rule) in [
            ("csa24", ImpasseRule::Csa24),
            ("CSARule27H", ImpasseRule::Csa27h),
            ("NoEnteringKing", ImpasseRule::None),
            ("TryRule", ImpasseRule::Try),
            ("none", ImpasseRule::None),
            ("jishogi24", ImpasseRule::Jishogi24),
        ] {
            options.set("EnteringKingRule", value).unwrap();
            assert_eq!(options.impasse, rule, "{value}");
        }
    }
}
