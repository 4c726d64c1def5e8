//! The words for games' ends.

use keiko_shogi::{Color, EndReason, Game, Outcome};

use super::names;
use crate::record::{Ending, RecordReason};

/// The word of an ending where `side` is to move.
pub(super) fn word(ending: Ending, side: Color) -> &'static str {
    let wins = ending.loser() == Some(!side);
    match ending.reason {
        RecordReason::Known(reason) => {
            ending.game_end().map_or(reason.kif_code(), |end| end.kif_code(side))
        }
        RecordReason::Foul if wins => "反則勝ち",
        RecordReason::Foul => "反則負け",
        RecordReason::NoMate => "不詰",
        RecordReason::Walkover if wins => "不戦勝",
        RecordReason::Walkover => "不戦敗",
        RecordReason::TakeBack | RecordReason::Error | RecordReason::Unknown => "中断",
    }
}

/// What a word means at the end of `game`, where `side` is to move.
pub(super) fn ending(word: &str, game: &Game, side: Color) -> Option<Ending> {
    let draw = |reason| Ending::new(reason, Some(Outcome::Draw));
    let walkover = |loser: Color| Ending {
        reason: RecordReason::Walkover,
        outcome: Some(Outcome::win_for(!loser)),
    };
    Some(match word {
        "投了" => Ending::loss(EndReason::Resignation, side),
        "切れ負け" | "時間切れ" => Ending::loss(EndReason::TimeForfeit, side),
        "詰み" | "詰" => Ending::mate(game, side),
        "入玉勝ち" | "宣言勝ち" | "入玉宣言勝ち" => {
            Ending::loss(EndReason::NyugyokuDeclaration, !side)
        }
        "反則負け" => Ending::foul(game, side),
        "反則勝ち" => Ending::foul(game, !side),
        "不戦敗" => walkover(side),
        "不戦勝" => walkover(!side),
        "千日手" => draw(EndReason::Sennichite),
        "持将棋" => draw(EndReason::Jishogi),
        "最大手数" | "最大手数到達" => draw(EndReason::MaxPlies),
        "引き分け" => Ending { reason: RecordReason::Unknown, outcome: Some(Outcome::Draw) },
        "中断" => Ending::new(EndReason::Aborted, None),
        "不詰" => Ending { reason: RecordReason::NoMate, outcome: None },
        "待った" => Ending { reason: RecordReason::TakeBack, outcome: None },
        "エラー" => Ending { reason: RecordReason::Error, outcome: None },
        _ => return None,
    })
}

/// What follows まで in the line under the moves.
pub(super) fn summary(ending: Ending, moves: usize, handicap: bool) -> Option<String> {
    let known = match ending.reason {
        RecordReason::Known(reason) => Some(reason),
        _ => None,
    };
    let side = |color| names::side(color, handicap);
    let text = match (ending.loser(), known) {
        (Some(loser), Some(EndReason::TimeForfeit)) => {
            format!("時間切れにより{}の勝ち", side(!loser))
        }
        (Some(loser), Some(EndReason::NyugyokuDeclaration | EndReason::Try)) => {
            format!("{}の入玉勝ち", side(!loser))
        }
        (
            Some(loser),
            Some(
                EndReason::IllegalMove(_)
                | EndReason::PerpetualCheck
                | EndReason::FailedDeclaration,
            ),
        ) => {
            format!("{}の反則負け", side(loser))
        }
        (Some(loser), _) if ending.reason == RecordReason::Foul => {
            format!("{}の反則負け", side(loser))
        }
        (Some(loser), _) => format!("{}の勝ち", side(!loser)),
        (None, Some(EndReason::Sennichite)) => "千日手".to_owned(),
        (None, _) if ending.outcome == Some(Outcome::Draw) => "持将棋".to_owned(),
        (None, Some(EndReason::Aborted)) => "中断".to_owned(),
        _ => return None,
    };
    Some(format!("{moves}手で{text}"))
}

/// The ending that a line under the moves tells, where nothing else does.
pub(super) fn of_summary(text: &str, game: &Game, side: Color) -> Option<Ending> {
    let text = text.trim_start_matches('、');
    let told = text.trim_start_matches(|c: char| names::digit(c).is_some() || c == '0');
    let told = told.strip_prefix("手で").unwrap_or(told).trim();
    if let Some(ending) = ending(told, game, side) {
        return Some(ending);
    }
    let (before, result) = told.rsplit_once('の')?;
    let start = before.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
    let color = names::color(&before[start..])?;
    Some(match result {
        "入玉勝ち" => Ending::loss(EndReason::NyugyokuDeclaration, !color),
        "反則勝ち" => Ending::foul(game, !color),
        "反則負け" => Ending::foul(game, color),
        "勝ち" if before.contains("時間切れ") => Ending::loss(EndReason::TimeForfeit, !color),
        "勝ち" if !game.position().has_legal_move() => Ending::mate(game, !color),
        "勝ち" if color != side => Ending::loss(EndReason::Resignation, side),
        "勝ち" => {
            Ending { reason: RecordReason::Unknown, outcome: Some(Outcome::win_for(color)) }
        }
        _ => return None,
    })
}
