//! The bytes of a game record: bincode 2, little-endian, integers of fixed width, so that one record
//! has one encoding.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};
use keiko_encoding::EncodingId;
use keiko_shogi::{DrawValues, Handicap, ImpasseRule, Move, Rules};

use super::codes;
use super::{GameRecord, PlyRecord, RecordError, ResignAudit, StartSource};
use crate::policy::StoredPolicy;
use crate::wdl::StoredWdl;

/// The version of the record's layout.
pub const RECORD_VERSION: u8 = 1;

/// The most bytes that a record may take, encoded; the decoder allocates no more than twice this at once.
pub const MAX_RECORD_BYTES: usize = 16 << 20;

/// What a decoder may allocate: it counts what a list takes in memory, which for short plies is more than their bytes.
const LIMIT: usize = 2 * MAX_RECORD_BYTES;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<LIMIT>> =
    config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<LIMIT>();

#[derive(Encode, Decode)]
struct WireGame {
    version: u8,
    stream: String,
    index: u64,
    seed: u64,
    models: Vec<String>,
    encoding: String,
    impasse: String,
    declaration: u8,
    max_plies: Option<u16>,
    handicap: Option<String>,
    draw_values: [u32; 3],
    start_source: WireStart,
    start: String,
    outcome: u8,
    end: u8,
    played_on: bool,
    resign_plies: [Option<u16>; 2],
    plies: Vec<WirePly>,
}

#[derive(Encode, Decode)]
enum WireStart {
    Standard,
    Handicap,
    Opening { line: u32 },
    Shuffled { number: u32 },
    Branch { stream: String, index: u64, ply: u16 },
    BeforeEnd { stream: String, index: u64, ply: u16 },
}

#[derive(Encode, Decode)]
struct WirePly {
    mv: u16,
    model: u16,
    search: u8,
    raw_wdl: [u16; 3],
    root_wdl: [u16; 3],
    root_visits: u32,
    policy: Vec<(u16, u16)>,
    raw_policy: Vec<(u16, u16)>,
}

impl GameRecord {
    /// The record's bytes.
    ///
    /// # Errors
    ///
    /// [`RecordError::TooLarge`] if they are more than [`MAX_RECORD_BYTES`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, RecordError> {
        let bytes = bincode::encode_to_vec(to_wire(self), CONFIG)
            .map_err(|e| RecordError::Malformed(e.to_string()))?;
        if bytes.len() > MAX_RECORD_BYTES {
            return Err(RecordError::TooLarge(bytes.len()));
        }
        Ok(bytes)
    }

    /// Reads a record from exactly these bytes. What it holds is well-formed; whether the game keeps the
    /// rules is for [`validate`](Self::validate).
    ///
    /// # Errors
    ///
    /// If the bytes are not what [`to_bytes`](Self::to_bytes) makes of a record.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        match bytes.first() {
            Some(&RECORD_VERSION) => {}
            Some(&version) => return Err(RecordError::Version(version)),
            None => return Err(RecordError::Malformed("no bytes".to_owned())),
        }
        let (wire, read) = bincode::decode_from_slice::<WireGame, _>(bytes, CONFIG)
            .map_err(|e| RecordError::Malformed(e.to_string()))?;
        if read != bytes.len() {
            return Err(RecordError::Trailing(bytes.len() - read));
        }
        if read > MAX_RECORD_BYTES {
            return Err(RecordError::TooLarge(read));
        }
        from_wire(wire)
    }
}

fn to_wire(game: &GameRecord) -> WireGame {
    let draws = game.draw_values;
    WireGame {
        version: RECORD_VERSION,
        stream: game.stream.clone(),
        index: game.index,
        seed: game.seed,
        models: game.models.clone(),
        encoding: game.encoding.to_string(),
        impasse: game.rules.impasse.to_string(),
        declaration: codes::declaration_code(game.rules.declaration),
        max_plies: game.rules.max_plies,
        handicap: game.rules.handicap.map(|handicap| handicap.to_string()),
        draw_values: [draws.sennichite, draws.jishogi, draws.max_plies].map(f32::to_bits),
        start_source: match &game.start_source {
            StartSource::Standard => WireStart::Standard,
            StartSource::Handicap => WireStart::Handicap,
            StartSource::Opening { line } => WireStart::Opening { line: *line },
            StartSource::Shuffled { number } => WireStart::Shuffled { number: *number },
            StartSource::Branch { stream, index, ply } => {
                WireStart::Branch { stream: stream.clone(), index: *index, ply: *ply }
            }
            StartSource::BeforeEnd { stream, index, ply } => {
                WireStart::BeforeEnd { stream: stream.clone(), index: *index, ply: *ply }
            }
        },
        start: game.start.clone(),
        outcome: codes::outcome_code(game.outcome),
        end: codes::end_code(game.end),
        played_on: game.resign_audit.played_on,
        resign_plies: [game.resign_audit.black_ply, game.resign_audit.white_ply],
        plies: game.plies.iter().map(ply_to_wire).collect(),
    }
}

fn ply_to_wire(ply: &PlyRecord) -> WirePly {
    let pairs = |policy: &StoredPolicy| {
        policy.pairs().iter().map(|&(mv, units)| (mv.to_bits(), units)).collect()
    };
    WirePly {
        mv: ply.mv.to_bits(),
        model: ply.model,
        search: codes::search_code(ply.search),
        raw_wdl: ply.raw_wdl.units(),
        root_wdl: ply.root_wdl.units(),
        root_visits: ply.root_visits,
        policy: pairs(&ply.policy),
        raw_policy: pairs(&ply.raw_policy),
    }
}

fn from_wire(wire: WireGame) -> Result<GameRecord, RecordError> {
    let [sennichite, jishogi, max_plies] = wire.draw_values.map(f32::from_bits);
    let [black_ply, white_ply] = wire.resign_plies;
    let rules = Rules {
        impasse: parse::<ImpasseRule>("impasse", &wire.impasse)?,
        declaration: known("declaration", wire.declaration, codes::declaration_of)?,
        max_plies: wire.max_plies,
        handicap: match &wire.handicap {
            Some(name) => Some(parse::<Handicap>("handicap", name)?),
            None => None,
        },
    };
    Ok(GameRecord {
        stream: wire.stream,
        index: wire.index,
        seed: wire.seed,
        models: wire.models,
        encoding: parse::<EncodingId>("encoding", &wire.encoding)?,
        rules,
        draw_values: DrawValues { sennichite, jishogi, max_plies },
        start_source: match wire.start_source {
            WireStart::Standard => StartSource::Standard,
            WireStart::Handicap => StartSource::Handicap,
            WireStart::Opening { line } => StartSource::Opening { line },
            WireStart::Shuffled { number } => StartSource::Shuffled { number },
            WireStart::Branch { stream, index, ply } => StartSource::Branch { stream, index, ply },
            WireStart::BeforeEnd { stream, index, ply } => {
                StartSource::BeforeEnd { stream, index, ply }
            }
        },
        start: wire.start,
        outcome: known("outcome", wire.outcome, codes::outcome_of)?,
        end: known("end", wire.end, codes::end_of)?,
        resign_audit: ResignAudit { played_on: wire.played_on, black_ply, white_ply },
        plies: (wire.plies.into_iter().enumerate())
            .map(|(ply, wire)| ply_from_wire(ply, &wire))
            .collect::<Result<_, _>>()?,
    })
}

fn ply_from_wire(ply: usize, wire: &WirePly) -> Result<PlyRecord, RecordError> {
    let wdl = |[win, draw, loss]: [u16; 3]| {
        StoredWdl::new(win, draw, loss).map_err(|source| RecordError::Wdl { ply, source })
    };
    let mv = |bits: u16| {
        Move::from_bits(bits)
            .ok_or(RecordError::Ply { ply, problem: "16 bits that stand for no move" })
    };
    let policy = |pairs: &[(u16, u16)]| {
        let pairs = pairs.iter().map(|&(bits, units)| Ok((mv(bits)?, units)));
        StoredPolicy::new(pairs.collect::<Result<_, RecordError>>()?)
            .map_err(|source| RecordError::Policy { ply, source })
    };
    Ok(PlyRecord {
        mv: mv(wire.mv)?,
        model: wire.model,
        search: known("search", wire.search, codes::search_of)?,
        raw_wdl: wdl(wire.raw_wdl)?,
        root_wdl: wdl(wire.root_wdl)?,
        root_visits: wire.root_visits,
        policy: policy(&wire.policy)?,
        raw_policy: policy(&wire.raw_policy)?,
    })
}

fn parse<T: std::str::FromStr>(field: &'static str, text: &str) -> Result<T, RecordError> {
    text.parse().map_err(|_| RecordError::Field { field, value: format!("{text:?}") })
}

fn known<T>(
    field: &'static str,
    code: u8,
    meaning: impl Fn(u8) -> Option<T>,
) -> Result<T, RecordError> {
    meaning(code).ok_or_else(|| RecordError::Field { field, value: code.to_string() })
}
