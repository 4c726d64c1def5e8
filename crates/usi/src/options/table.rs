use std::path::PathBuf;

use keiko_inference::Provider;
use keiko_mcts::RootKind;
use keiko_shogi::ImpasseRule;

use super::Options;
use crate::answer::OptionKind;

/// One option: its USI name and where its value lives.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) field: Field,
}

/// A field of [`Options`] and the values it takes.
pub(super) enum Field {
    Check(fn(&mut Options) -> &mut bool),
    Spin { of: fn(&mut Options) -> &mut u32, min: u32, max: u32 },
    Plies(fn(&mut Options) -> &mut u16),
    Rule(fn(&mut Options) -> &mut ImpasseRule),
    File(fn(&mut Options) -> &mut PathBuf),
    Provider(fn(&mut Options) -> &mut Provider),
    Root(fn(&mut Options) -> &mut RootKind),
}

const fn spin(name: &'static str, of: fn(&mut Options) -> &mut u32, min: u32, max: u32) -> Entry {
    Entry { name, field: Field::Spin { of, min, max } }
}

const fn check(name: &'static str, of: fn(&mut Options) -> &mut bool) -> Entry {
    Entry { name, field: Field::Check(of) }
}

const fn file(name: &'static str, of: fn(&mut Options) -> &mut PathBuf) -> Entry {
    Entry { name, field: Field::File(of) }
}

const fn batches(name: &'static str, of: fn(&mut Options) -> &mut u32) -> Entry {
    spin(name, of, 0, 256)
}

/// All options, in the order they are listed.
pub(super) const TABLE: &[Entry] = &[
    spin("USI_Hash", |o| &mut o.hash_mib, 1, 1 << 22),
    check("USI_Ponder", |o| &mut o.ponder),
    spin("Threads", |o| &mut o.threads, 1, 512),
    spin("MultiPV", |o| &mut o.multi_pv, 1, 600),
    Entry { name: "DNN_Provider", field: Field::Provider(|o| &mut o.provider) },
    file("DNN_Model", |o| &mut o.models[0]),
    file("DNN_Model2", |o| &mut o.models[1]),
    file("DNN_Model3", |o| &mut o.models[2]),
    file("DNN_Model4", |o| &mut o.models[3]),
    file("DNN_Model5", |o| &mut o.models[4]),
    file("DNN_Model6", |o| &mut o.models[5]),
    file("DNN_Model7", |o| &mut o.models[6]),
    file("DNN_Model8", |o| &mut o.models[7]),
    batches("UCT_Threads", |o| &mut o.uct_threads[0]),
    batches("UCT_Threads2", |o| &mut o.uct_threads[1]),
    batches("UCT_Threads3", |o| &mut o.uct_threads[2]),
    batches("UCT_Threads4", |o| &mut o.uct_threads[3]),
    batches("UCT_Threads5", |o| &mut o.uct_threads[4]),
    batches("UCT_Threads6", |o| &mut o.uct_threads[5]),
    batches("UCT_Threads7", |o| &mut o.uct_threads[6]),
    batches("UCT_Threads8", |o| &mut o.uct_threads[7]),
    spin("DNN_Batch_Size", |o| &mut o.batch_size, 1, 1024),
    spin("UCT_NodeLimit", |o| &mut o.node_limit, 1, 1_000_000_000),
    spin("NodesLimit", |o| &mut o.nodes_limit, 0, 1_000_000_000),
    spin("Const_Playout", |o| &mut o.nodes_limit, 0, 1_000_000_000),
    spin("Mate_Root_Search", |o| &mut o.mate_plies, 0, 1999),
    spin("DfPn_Hash", |o| &mut o.mate_hash_mib, 1, 1 << 16),
    Entry { name: "Root_Search", field: Field::Root(|o| &mut o.root) },
    spin("Softmax_Temperature", |o| &mut o.softmax_temperature_percent, 1, 1000),
    spin("C_init", |o| &mut o.c_init_percent, 1, 1000),
    spin("C_base", |o| &mut o.c_base_visits, 1, 1_000_000),
    spin("C_fpu_reduction", |o| &mut o.fpu_reduction_percent, 0, 100),
    spin("C_init_root", |o| &mut o.root_c_init_percent, 1, 1000),
    spin("C_base_root", |o| &mut o.root_c_base_visits, 1, 1_000_000),
    spin("C_fpu_reduction_root", |o| &mut o.root_fpu_reduction_percent, 0, 100),
    check("ReuseSubtree", |o| &mut o.reuse_subtree),
    spin("Eval_Coef", |o| &mut o.eval_coef, 1, 10_000),
    spin("Resign_Threshold", |o| &mut o.resign_threshold_permille, 0, 1000),
    spin("Draw_Value_Black", |o| &mut o.draw_value_black_permille, 0, 1000),
    spin("Draw_Value_White", |o| &mut o.draw_value_white_permille, 0, 1000),
    Entry { name: "MaxMovesToDraw", field: Field::Plies(|o| &mut o.max_plies) },
    Entry { name: "Draw_Ply", field: Field::Plies(|o| &mut o.max_plies) },
    Entry { name: "EnteringKingRule", field: Field::Rule(|o| &mut o.impasse) },
    spin("NetworkDelay", |o| &mut o.network_delay_ms, 0, 60_000),
    spin("Byoyomi_Margin", |o| &mut o.byoyomi_margin_ms, 0, 60_000),
    spin("Time_Margin", |o| &mut o.time_margin_ms, 0, 600_000),
    check("OwnBook", |o| &mut o.own_book),
    check("USI_OwnBook", |o| &mut o.own_book),
    file("Book_File", |o| &mut o.book_file),
    file("BookFile", |o| &mut o.book_file),
    check("Best_Book_Move", |o| &mut o.best_book_move),
    spin("PV_Interval", |o| &mut o.pv_interval_ms, 0, 10_000_000),
];

/// Every rule of an entering king, by the name that other engines use for it where there is one. The rule's own name is
/// taken too.
const RULES: [(ImpasseRule, &str); 10] = [
    (ImpasseRule::Csa27, "CSARule27"),
    (ImpasseRule::Csa27h, "CSARule27H"),
    (ImpasseRule::Csa24, "CSARule24"),
    (ImpasseRule::Csa24h, "CSARule24H"),
    (ImpasseRule::Try, "TryRule"),
    (ImpasseRule::None, "NoEnteringKing"),
    (ImpasseRule::Jishogi24, "jishogi24"),
    (ImpasseRule::Count27, "count27"),
    (ImpasseRule::TryBoth, "try_both"),
    (ImpasseRule::AmateurWest, "amateur_west"),
];

/// Every root, by name.
const ROOTS: [(RootKind, &str); 2] = [(RootKind::Gumbel, "gumbel"), (RootKind::Puct, "puct")];

/// A book's name that stands for none.
const NO_BOOK: &str = "no_book";

fn rule_name(rule: ImpasseRule) -> String {
    let found = RULES.iter().find(|(other, _)| *other == rule);
    found.map_or_else(|| rule.to_string(), |(_, name)| (*name).to_owned())
}

impl Field {
    /// The USI type, with the value in `options` as default.
    pub(super) fn kind(&self, options: &Options) -> OptionKind {
        let mut options = options.clone();
        match self {
            Field::Check(of) => OptionKind::Check { default: *of(&mut options) },
            Field::Spin { of, min, max } => OptionKind::Spin {
                default: i64::from(*of(&mut options)),
                min: i64::from(*min),
                max: i64::from(*max),
            },
            Field::Plies(of) => OptionKind::Spin {
                default: i64::from(*of(&mut options)),
                min: 0,
                max: i64::from(u16::MAX),
            },
            Field::Rule(of) => OptionKind::Combo {
                default: rule_name(*of(&mut options)),
                choices: RULES.iter().map(|(_, name)| (*name).to_owned()).collect(),
            },
            Field::Provider(of) => OptionKind::Combo {
                default: of(&mut options).to_string(),
                choices: Provider::ALL.iter().map(Provider::to_string).collect(),
            },
            Field::Root(of) => {
                let root = *of(&mut options);
                let (_, name) = ROOTS.iter().find(|(kind, _)| *kind == root).unwrap_or(&ROOTS[0]);
                OptionKind::Combo {
                    default: (*name).to_owned(),
                    choices: ROOTS.iter().map(|(_, name)| (*name).to_owned()).collect(),
                }
            }
            Field::File(of) => OptionKind::File { default: of(&mut options).display().to_string() },
        }
    }

    /// Sets the field, or says which values it takes.
    pub(super) fn set(&self, options: &mut Options, value: &str) -> Result<(), String> {
        let number = |min: u32, max: u32| {
            let number = value.parse::<u32>().ok().filter(|number| (min..=max).contains(number));
            number.ok_or_else(|| format!("a number from {min} to {max}"))
        };
        match self {
            Field::Check(of) => {
                *of(options) = value.parse().map_err(|_| "true or false".to_owned())?;
            }
            Field::Spin { of, min, max } => *of(options) = number(*min, *max)?,
            Field::Plies(of) => {
                let max = u16::MAX;
                *of(options) = value.parse().map_err(|_| format!("a number from 0 to {max}"))?;
            }
            Field::Rule(of) => {
                let found =
                    RULES.iter().find(|(rule, name)| rule.to_string() == value || *name == value);
                *of(options) = found
                    .map(|(rule, _)| *rule)
                    .ok_or_else(|| format!("one of {}", RULES.map(|(_, name)| name).join(", ")))?;
            }
            Field::Provider(of) => {
                let found = Provider::ALL.into_iter().find(|provider| provider.name() == value);
                *of(options) = found.ok_or_else(|| {
                    format!("one of {}", Provider::ALL.map(Provider::name).join(", "))
                })?;
            }
            Field::Root(of) => {
                let found = ROOTS.iter().find(|(_, name)| *name == value);
                *of(options) = found
                    .map(|(root, _)| *root)
                    .ok_or_else(|| format!("one of {}", ROOTS.map(|(_, name)| name).join(", ")))?;
            }
            Field::File(of) => {
                *of(options) = PathBuf::from(if value == NO_BOOK { "" } else { value });
            }
        }
        Ok(())
    }
}
