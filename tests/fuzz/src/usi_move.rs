//! Moves as USI text and as 16 bits.

use keiko_shogi::Move;

/// Reads `data` as a move in both forms.
///
/// # Panics
/// Where a round trip fails.
pub fn run(data: &[u8]) {
    if let Some(mv) = std::str::from_utf8(data).ok().and_then(|text| text.parse::<Move>().ok()) {
        assert_eq!(mv.to_string().as_bytes(), data);
        assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
    }
    if let Ok(bits) = data.try_into().map(u16::from_le_bytes)
        && let Some(mv) = Move::from_bits(bits)
    {
        assert_eq!(mv.to_bits(), bits);
        assert_eq!(mv.to_string().parse(), Ok(mv));
        assert_eq!(mv.mirrored().mirrored(), mv);
        assert_eq!(mv.rotated().rotated(), mv);
        assert_ne!(mv.from(), Some(mv.to()));
        assert_eq!(mv.from().is_some(), mv.dropped().is_none());
    }
}
