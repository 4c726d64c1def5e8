use std::path::PathBuf;

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
}

const fn spin(name: &'static str, of: fn(&mut Options) -> &mut u32, min: u32, max: u32) -> Entry {
    Entry { name, field: Field::Spin { of, min, max } }
}

/// All options, in the order they are listed.
pub(super) const TABLE: &[Entry] = &[
    spin("USI_Hash", |o| &mut o.hash_mib, 1, 1 << 22),
    Entry { name: "USI_Ponder", field: Field::Check(|o| &mut o.ponder) },
    spin("Threads", |o| &mut o.threads, 1, 512),
    spin("MultiPV", |o| &mut o.multi_pv, 1, 600),
    Entry { name: "DNN_Model", field: Field::File(|o| &mut o.model) },
    spin("DNN_Batch_Size", |o| &mut o.batch_size, 1, 1024),
    spin("UCT_NodeLimit", |o| &mut o.node_limit, 1, 1_000_000_000),
    spin("NodesLimit", |o| &mut o.nodes_limit, 0, 1_000_000_000),
    spin("Mate_Root_Nodes", |o| &mut o.root_mate_nodes, 0, 1_000_000_000),
    spin("Softmax_Temperature", |o| &mut o.softmax_temperature_percent, 1, 1000),
    spin("C_init", |o| &mut o.c_init_percent, 1, 1000),
    spin("C_base", |o| &mut o.c_base_visits, 1, 1_000_000),
    spin("C_fpu_reduction", |o| &mut o.fpu_reduction_percent, 0, 100),
    spin("C_init_root", |o| &mut o.root_c_init_percent, 1, 1000),
    spin("C_base_root", |o| &mut o.root_c_base_visits, 1, 1_000_000),
    spin("C_fpu_reduction_root", |o| &mut o.root_fpu_reduction_percent, 0, 100),
    Entry { name: "ReuseSubtree", field: Field::Check(|o| &mut o.reuse_subtree) },
    spin("Resign_Threshold", |o| &mut o.resign_threshold_permille, 0, 1000),
    spin("Draw_Value_Black", |o| &mut o.draw_value_black_permille, 0, 1000),
    spin("Draw_Value_White", |o| &mut o.draw_value_white_permille, 0, 1000),
    Entry { name: "MaxMovesToDraw", field: Field::Plies(|o| &mut o.max_plies) },
    Entry { name: "Draw_Ply", field: Field::Plies(|o| &mut o.max_plies) },
    Entry { name: "EnteringKingRule", field: Field::Rule(|o| &mut o.impasse) },
    spin("NetworkDelay", |o| &mut o.network_delay_ms, 0, 60_000),
    spin("Byoyomi_Margin", |o| &mut o.byoyomi_margin_ms, 0, 60_000),
    spin("Time_Margin", |o| &mut o.time_margin_ms, 0, 600_000),
    spin("PV_Interval", |o| &mut o.pv_interval_ms, 0, 10_000_000),
];

/// Every rule of an entering king, with the name that other engines use for it.
const RULES: [(ImpasseRule, Option<&str>); 10] = [
    (ImpasseRule::Csa27, Some("CSARule27")),
    (ImpasseRule::Csa27h, Some("CSARule27H")),
    (ImpasseRule::Csa24, Some("CSARule24")),
    (ImpasseRule::Csa24h, Some("CSARule24H")),
    (ImpasseRule::Jishogi24, None),
    (ImpasseRule::Count27, None),
    (ImpasseRule::Try, Some("TryRule")),
    (ImpasseRule::TryBoth, None),
    (ImpasseRule::AmateurWest, None),
    (ImpasseRule::None, Some("NoEnteringKing")),
];

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
                default: of(&mut options).to_string(),
                choices: RULES.iter().map(|(rule, _)| rule.to_string()).collect(),
            },
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
                let found = RULES
                    .iter()
                    .find(|(rule, alias)| rule.to_string() == value || *alias == Some(value));
                *of(options) = found.map(|(rule, _)| *rule).ok_or_else(|| {
                    let names: Vec<_> = RULES.iter().map(|(rule, _)| rule.to_string()).collect();
                    format!("one of {}", names.join(", "))
                })?;
            }
            Field::File(of) => *of(options) = PathBuf::from(value),
        }
        Ok(())
    }
}
