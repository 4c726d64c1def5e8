use keiko_shogi::PieceKind;

/// Rough worth in pawns, for comparing pieces with each other.
pub(crate) fn worth(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Lance | PieceKind::Knight => 4,
        PieceKind::Silver | PieceKind::Gold => 6,
        PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => 6,
        PieceKind::Bishop => 9,
        PieceKind::Rook => 10,
        PieceKind::Horse | PieceKind::Dragon => 12,
        PieceKind::King => 100,
    }
}
