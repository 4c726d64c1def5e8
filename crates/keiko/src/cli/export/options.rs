//! The option files that other engines look for beside a model.

use keiko_encoding::EncodingId;
use keiko_mcts::SearchSettings;

/// Centipawns for a doubling of the odds, by natural logarithm, that dlshogi's data use.
const EVAL_COEF: u32 = 756;

/// dlshogi's `MODEL.ini`: the search constants that the model was trained with.
pub(super) fn ini(search: &SearchSettings) -> String {
    options(search, "=")
}

/// FukauraOu's `eval_options.txt`: the same constants, and which planes the model reads.
pub(super) fn eval_options(search: &SearchSettings, encoding: EncodingId) -> String {
    let planes = match encoding {
        EncodingId::Dlshogi57 => "ModelArchitecture dlshogi-WCSC28\n",
        EncodingId::Dlshogi119 => "ModelArchitecture dlshogi-WCSC35\n",
        EncodingId::Keiko1 => "",
    };
    format!("{planes}{}", options(search, " "))
}

fn options(search: &SearchSettings, equals: &str) -> String {
    let percent = |value: f32| (value * 100.0).round() as u32;
    let puct = &search.puct;
    [
        ("Softmax_Temperature", percent(puct.policy_temperature)),
        ("C_init", percent(puct.c_init)),
        ("C_base", puct.c_base as u32),
        ("C_fpu_reduction", percent(puct.fpu_reduction)),
        ("C_init_root", percent(puct.root_c_init)),
        ("C_base_root", puct.root_c_base as u32),
        ("C_fpu_reduction_root", percent(puct.root_fpu_reduction)),
        ("Eval_Coef", EVAL_COEF),
    ]
    .iter()
    .map(|(name, value)| format!("{name}{equals}{value}\n"))
    .collect()
}
