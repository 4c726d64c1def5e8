//! Planes against a slow computation that looks at one square at a time.

use keiko_encoding::{EncodingId, unpack};
use keiko_shogi::{Color, Piece, PieceKind, Position, Square};
use proptest::prelude::*;

use crate::support::{random_game, row};

/// Steps (file, rank) of Black's pieces, and whether they repeat.
fn steps(kind: PieceKind) -> Vec<(i8, i8, bool)> {
    use PieceKind::*;
    let straight = [(0, -1), (1, 0), (-1, 0), (0, 1)];
    let diagonal = [(1, -1), (-1, -1), (1, 1), (-1, 1)];
    let with = |list: &[(i8, i8)], slides: bool| -> Vec<(i8, i8, bool)> {
        list.iter().map(|&(file, rank)| (file, rank, slides)).collect()
    };
    match kind {
        Pawn => with(&[(0, -1)], false),
        Lance => with(&[(0, -1)], true),
        Knight => with(&[(1, -2), (-1, -2)], false),
        Silver => [with(&[(0, -1)], false), with(&diagonal, false)].concat(),
        Gold | ProPawn | ProLance | ProKnight | ProSilver => {
            [with(&straight, false), with(&[(1, -1), (-1, -1)], false)].concat()
        }
        King => [with(&straight, false), with(&diagonal, false)].concat(),
        Bishop => with(&diagonal, true),
        Rook => with(&straight, true),
        Horse => [with(&diagonal, true), with(&straight, false)].concat(),
        Dragon => [with(&straight, true), with(&diagonal, false)].concat(),
    }
}

fn attacked(position: &Position, from: Square, piece: Piece) -> Vec<Square> {
    let sign = if piece.color == Color::Black { 1 } else { -1 };
    let mut squares = Vec::new();
    for (file_step, rank_step, slides) in steps(piece.kind) {
        let (mut file, mut rank) = (from.file() as i8, from.rank() as i8);
        loop {
            (file, rank) = (file + sign * file_step, rank + sign * rank_step);
            if !(0..9).contains(&file) || !(0..9).contains(&rank) {
                break;
            }
            let square = Square::new(file as u8, rank as u8);
            squares.push(square);
            if !slides || position.piece_at(square).is_some() {
                break;
            }
        }
    }
    squares
}

/// All 181 planes of `dlshogi-119`, [planes][81].
fn slow_planes(position: &Position) -> Vec<f32> {
    let us = position.side_to_move();
    let mut planes = vec![0.0; 181 * 81];
    let view = |square: Square| match us {
        Color::Black => square.index(),
        Color::White => 80 - square.index(),
    };
    let side = |color: Color| usize::from(color != us);
    let mut counts = [[0; 81]; 2];
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let first = side(piece.color) * 31;
        planes[(first + piece.kind as usize) * 81 + view(square)] = 1.0;
        for target in attacked(position, square, piece) {
            planes[(first + 14 + piece.kind as usize) * 81 + view(target)] = 1.0;
            counts[side(piece.color)][view(target)] += 1;
        }
    }
    for (side, counts) in counts.iter().enumerate() {
        for (square, &count) in counts.iter().enumerate() {
            for least in 0..3 {
                if count > least {
                    planes[(side * 31 + 28 + least) * 81 + square] = 1.0;
                }
            }
        }
    }
    for plane in slow_whole_planes(position) {
        planes[(62 + plane) * 81..][..81].fill(1.0);
    }
    planes
}

/// The whole planes that are set.
fn slow_whole_planes(position: &Position) -> Vec<usize> {
    use PieceKind::*;
    let us = position.side_to_move();
    let mut set = Vec::new();
    for color in [us, us.opponent()] {
        let side = usize::from(color != us);
        let mut first = side * 28;
        for (kind, most) in
            [(Pawn, 8), (Lance, 4), (Knight, 4), (Silver, 4), (Gold, 4), (Bishop, 2), (Rook, 2)]
        {
            let count = usize::from(position.hand(color).count(kind));
            set.extend((0..most).filter(|index| *index < count).map(|index| first + index));
            first += most;
        }
        let first = 57 + side * 31;
        let in_camp = |square: Square| match color {
            Color::Black => square.rank() <= 2,
            Color::White => square.rank() >= 6,
        };
        let value = |kind| if matches!(kind, Bishop | Rook | Horse | Dragon) { 5 } else { 1 };
        let (mut pieces, mut points) = (0, 0);
        for square in Square::all().filter(|&square| in_camp(square)) {
            match position.piece_at(square) {
                Some(piece) if piece.color != color => {}
                Some(Piece { kind: King, .. }) => set.push(first),
                Some(piece) => {
                    pieces += 1;
                    points += value(piece.kind);
                }
                None => {}
            }
        }
        for kind in [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook] {
            points += value(kind) * i32::from(position.hand(color).count(kind));
        }
        if (1..=10).contains(&pieces) {
            set.push(first + 11 - pieces as usize);
        }
        let rest = if color == Color::Black { 28 - points } else { 27 - points };
        if (0..20).contains(&rest) {
            set.push(first + 11 + rest as usize);
        }
    }
    if in_check(position) {
        set.push(56);
    }
    set
}

fn in_check(position: &Position) -> bool {
    let us = position.side_to_move();
    Square::all().any(|square| {
        position.piece_at(square).is_some_and(|piece| {
            piece.color != us
                && attacked(position, square, piece).iter().any(|&target| {
                    position.piece_at(target) == Some(Piece { color: us, kind: PieceKind::King })
                })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn planes_equal_those_found_square_by_square(seed: u64, plies in 0_usize..300) {
        let game = random_game(seed, plies);
        let expected = slow_planes(game.position());
        for id in EncodingId::ALL {
            let mut planes = vec![f32::NAN; id.planes() * 81];
            unpack(id, &row(id, &game), &mut planes);
            let bits = (id.planes1() + id.planes2()) * 81;
            prop_assert_eq!(&planes[..bits], &expected[..bits]);
        }
    }
}
