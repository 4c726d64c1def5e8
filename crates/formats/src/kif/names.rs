//! Pieces, squares and numbers.

use keiko_shogi::{Color, PieceKind, Square};

/// The names of one character in the order of [`PieceKind::ALL`].
const PIECES: [char; PieceKind::COUNT] =
    ['歩', '香', '桂', '銀', '角', '飛', '金', '玉', 'と', '杏', '圭', '全', '馬', '龍'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

pub(super) const fn piece(kind: PieceKind) -> char {
    PIECES[kind.index()]
}

pub(super) fn kind(name: char) -> Option<PieceKind> {
    let name = match name {
        '王' => '玉',
        '竜' => '龍',
        other => other,
    };
    PieceKind::ALL.into_iter().find(|&kind| piece(kind) == name)
}

/// The piece at the beginning of `text`, which may be one of 成香, 成桂 and 成銀, and what follows it.
pub(super) fn leading_piece(text: &str) -> Option<(PieceKind, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first != '成' {
        return Some((kind(first)?, chars.as_str()));
    }
    let promoted = match chars.next()? {
        '香' => PieceKind::ProLance,
        '桂' => PieceKind::ProKnight,
        '銀' => PieceKind::ProSilver,
        _ => return None,
    };
    Some((promoted, chars.as_str()))
}

/// A digit from 1, whether ASCII, full width or kanji.
pub(super) fn digit(c: char) -> Option<u8> {
    let of = |digits: &[char; 9]| digits.iter().position(|&d| d == c).map(|at| at as u8 + 1);
    let ascii = c.to_digit(10).filter(|&d| d > 0).map(|d| d as u8);
    ascii.or_else(|| of(&FILES)).or_else(|| of(&RANKS))
}

pub(super) fn square_text(square: Square) -> String {
    [FILES[usize::from(square.file())], RANKS[usize::from(square.rank())]].iter().collect()
}

pub(super) fn rank(rank: u8) -> char {
    RANKS[usize::from(rank)]
}

/// A number of pieces: nothing for one, otherwise kanji (十一) or digits.
pub(super) fn count(text: &str) -> Option<u32> {
    if text.is_empty() {
        return Some(1);
    }
    if let Some(number) = crate::text::digits(text) {
        return Some(number);
    }
    let (tens, ones) = match text.split_once('十') {
        Some(("", ones)) => (1, ones),
        Some((tens, ones)) => (u32::from(single(tens)?), ones),
        None => (0, text),
    };
    let ones = if ones.is_empty() { 0 } else { single(ones)? };
    Some(tens * 10 + u32::from(ones))
}

fn single(text: &str) -> Option<u8> {
    let mut chars = text.chars();
    let digit = digit(chars.next()?)?;
    chars.next().is_none().then_some(digit)
}

/// What [`count`] reads; for 1 to 18.
pub(super) fn count_text(count: u8) -> String {
    let ones = |n: u8| if n == 0 { String::new() } else { rank(n - 1).to_string() };
    match count {
        0 | 1 => String::new(),
        2..10 => ones(count),
        _ => format!("十{}", ones(count % 10)),
    }
}

/// The word for a side; with a handicap the giver is 上手.
pub(super) const fn side(color: Color, handicap: bool) -> &'static str {
    match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

/// The side that a word names.
pub(super) fn color(word: &str) -> Option<Color> {
    match word {
        "先手" | "下手" => Some(Color::Black),
        "後手" | "上手" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pieces_come_back() {
        for number in 1..=18 {
            assert_eq!(count(&count_text(number)), Some(u32::from(number)));
        }
        for (text, number) in [("12", 12), ("２", 2), ("一", 1)] {
            assert_eq!(count(text), Some(number));
        }
        for text in ["十十", "歩", "二三", "〇"] {
            assert_eq!(count(text), None, "{text}");
        }
    }
}
