//! Random games in every form.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use keiko_bench::random_games;
use keiko_formats::GameLine;
use keiko_formats::training::PositionFormat;
use keiko_replay::{
    DataSettings, FastPlies, GameRecord, IngestEntry, IngestLog, IngestedShard, PlyRecord,
    ResignAudit, SearchKind, SearchValueSettings, Settings, ShardHeader, ShardWriter, StartSource,
    StoredPolicy, StoredWdl, WindowSettings,
};
use keiko_shogi::{DrawValues, EndReason, Game, Move, MoveList, Outcome, Rules};
use keiko_store::{LocalStore, Sha256, Store as _};

use super::ENCODING;

/// The forms of files.
pub(super) const FORMS: [&str; 4] = ["hcpe", "psv", "hcpe3", "usi"];

const SEED: u64 = 0x006c_6f61_6465_7200;

/// Plies of a game, at most.
const PLIES: usize = 100;

/// Moves that a search visited.
const CANDIDATES: usize = 16;

/// A folder with the games, removed with it.
pub(super) struct Made(PathBuf);

impl Made {
    /// Writes `games` random games in every form.
    pub(super) fn new(games: usize) -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("keiko-loader-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        let made = Self(path);
        let games = random_games(games, SEED);
        let games: Vec<GameRecord> =
            (0..).zip(&games).map(|(index, game)| record(index, &game.moves)).collect();
        for form in FORMS {
            let path = made.file(form);
            std::fs::write(&path, bytes(form, &games)?)
                .with_context(|| path.display().to_string())?;
        }
        made.write_shard(&games)?;
        Ok(made)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn file(&self, form: &str) -> PathBuf {
        self.0.join(format!("games.{form}"))
    }

    fn write_shard(&self, games: &[GameRecord]) -> anyhow::Result<()> {
        let store = LocalStore::create(&self.0)?;
        let stream = "g000000".to_owned();
        let mut shard = ShardWriter::new(ShardHeader {
            stream: stream.clone(),
            model: "a".to_owned(),
            encoding: ENCODING,
            config: Sha256::of(b""),
        })?;
        games.iter().try_for_each(|game| shard.push(game))?;
        let shard = shard.finish()?;
        let key = format!("games/{stream}/000000.games");
        store.put_new(&key, &shard.bytes)?;
        let line = IngestedShard::of_finished(&key, &stream, &shard);
        IngestLog::new(&store).append(0, &IngestEntry { shards: vec![line] })?;
        Ok(())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How the shards are drawn from: all rows, each as often as another.
pub(super) fn settings() -> Settings {
    Settings {
        window: WindowSettings::LastRows { min_rows: 1, max_rows: u64::MAX },
        max_uses_per_row: 1.0,
        max_rows_per_game: 16,
        surprise_weight: 0.0,
        search_value: SearchValueSettings { weight: 0.5, start_step: 0, start_entry: 0 },
        drop_value_of: Vec::new(),
        fast_plies: FastPlies::Skip,
        mirror: true,
        held_out_modulus: 0,
        max_bad_games: 0,
        data: DataSettings { shuffle_rows: super::SHUFFLE_ROWS, centipawns_per_log_odds: 756.0 },
    }
}

fn record(index: u64, moves: &[Move]) -> GameRecord {
    // The last move may have ended the game.
    let moves = &moves[..moves.len().saturating_sub(1).min(PLIES)];
    let mut game = Game::startpos(Rules::STANDARD);
    let mut plies = Vec::new();
    for &mv in moves {
        let mut legal = MoveList::new();
        game.legal_moves(&mut legal);
        let mut visited: Vec<Move> = legal.iter().copied().filter(|&it| it != mv).collect();
        visited.truncate(CANDIDATES - 1);
        visited.push(mv);
        let share = 1.0 / visited.len() as f32;
        let shares: Vec<(Move, f32)> = visited.into_iter().map(|mv| (mv, share)).collect();
        plies.push(PlyRecord {
            mv,
            model: 0,
            search: SearchKind::Full,
            raw_wdl: StoredWdl::DRAW,
            root_wdl: StoredWdl::DRAW,
            root_visits: CANDIDATES as u32,
            policy: StoredPolicy::from_shares(&shares).expect("shares that sum to 1"),
            raw_policy: StoredPolicy::EMPTY,
        });
        game.play(mv);
    }
    GameRecord {
        stream: "g000000".to_owned(),
        index,
        seed: index,
        models: vec!["a".to_owned()],
        encoding: ENCODING,
        rules: Rules::STANDARD,
        draw_values: DrawValues::HALF,
        start_source: StartSource::Standard,
        start: game.start_sfen(),
        outcome: Outcome::win_for(!game.position().side_to_move()),
        end: EndReason::Resignation,
        resign_audit: ResignAudit::default(),
        plies,
    }
}

fn bytes(form: &str, games: &[GameRecord]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for game in games {
        match form {
            "hcpe3" => game.to_searched_game()?.write(&mut bytes)?,
            "usi" => {
                let start = game.start_game()?;
                let moves = game.plies.iter().map(|ply| ply.mv).collect();
                let mut line = GameLine::new(start.position().clone(), 1, moves);
                line.add_tag("outcome", game.outcome.name())?;
                line.add_tag("reason", &game.end.to_string())?;
                bytes.extend_from_slice(format!("{line}\n").as_bytes());
            }
            _ => {
                let format = match form {
                    "psv" => PositionFormat::Psv,
                    _ => PositionFormat::Hcpe,
                };
                for position in game.to_positions()? {
                    format.write(&position, &mut bytes)?;
                }
            }
        }
    }
    Ok(bytes)
}
