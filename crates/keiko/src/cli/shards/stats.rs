use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use keiko_replay::{GameRecord, SearchKind, StoredPolicy};
use keiko_selfplay::{GameClass, ResignCounts, Statistics};
use keiko_shogi::Position;
use serde_json::json;

use super::Paths;

/// Arguments of `keiko shards stats`.
#[derive(Debug, clap::Args)]
pub(in super::super) struct Args {
    #[command(flatten)]
    paths: Paths,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What games hold.
#[derive(Default)]
struct Contents {
    games: Statistics,
    shards: BTreeMap<PathBuf, u64>,
    plies: BTreeMap<&'static str, u64>,
    models: BTreeMap<String, u64>,
    visits: u64,
    /// Sum of the entropies of the policies of full searches, in nats.
    entropy: f64,
    /// The key of each position with a full search: board, hands and side to move.
    positions: Vec<u64>,
}

impl Contents {
    fn add(&mut self, game: &GameRecord) {
        self.games.add(game);
        let mut position = Position::from_sfen(&game.start).map(|(position, _)| position).ok();
        for ply in &game.plies {
            if let Some(position) = &mut position {
                if ply.search == SearchKind::Full {
                    self.positions.push(position.key());
                }
                position.do_move(ply.mv);
            }
            let kind = match ply.search {
                SearchKind::None => "not searched",
                SearchKind::Fast => "fast",
                SearchKind::Full => "full",
            };
            *self.plies.entry(kind).or_default() += 1;
            if ply.search == SearchKind::Full {
                self.visits += u64::from(ply.root_visits);
                self.entropy += entropy(&ply.policy);
                let model = &game.models[usize::from(ply.model)];
                *self.models.entry(model.chars().take(12).collect()).or_default() += 1;
            }
        }
    }

    /// Share of the positions with a full search that an earlier one was the same as, 0 to 1.
    fn repeated(&mut self) -> f64 {
        let all = self.positions.len();
        self.positions.sort_unstable();
        self.positions.dedup();
        (all - self.positions.len()) as f64 / all.max(1) as f64
    }

    fn full(&self) -> f64 {
        self.plies.get("full").copied().unwrap_or(0).max(1) as f64
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut all = Contents::default();
    args.paths.read(|path, bytes, game| {
        all.shards.insert(path.to_owned(), bytes);
        match game {
            Ok(game) => all.add(&game),
            Err(_) => all.games.add_bad(),
        }
        Ok(())
    })?;
    let repeated = all.repeated();
    let (games, bytes) = (&all.games, all.shards.values().sum::<u64>());
    if args.json {
        let ends = games.ends();
        let answer = json!({
            "shards": all.shards.len(), "bytes": bytes, "games": games.games(), "bad_games": games.bad_games(),
            "plies": games.plies(), "duplicates": games.duplicates(), "draw_rate": games.draw_rate(),
            "black_score": games.black_score(), "ends": ends, "searches": all.plies, "starts": games.starts(),
            "resignations": resignations(games), "models": all.models, "visits_of_full": all.visits as f64 / all.full(),
            "policy_entropy": all.entropy / all.full(), "repeated_positions": repeated,
        });
        writeln!(out, "{answer}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let count = games.games();
    writeln!(
        out,
        "shards     {}, {:.1} MB, {} bytes a game",
        all.shards.len(),
        bytes as f64 / 1e6,
        bytes / count.max(1)
    )?;
    writeln!(
        out,
        "games      {count}, {} repeat an earlier one, {} break the rules",
        games.duplicates(),
        games.bad_games()
    )?;
    writeln!(out, "plies      {}, {:.1} a game", games.plies(), games.mean_plies())?;
    writeln!(out, "searches   {}", listed(all.plies.iter()))?;
    writeln!(
        out,
        "full       {:.1} visits, entropy of the policy {:.3} nats, {:.1} % of the positions seen before",
        all.visits as f64 / all.full(),
        all.entropy / all.full(),
        100.0 * repeated
    )?;
    writeln!(
        out,
        "results    Black's score {:.1} %, draws {:.1} %",
        100.0 * games.black_score(),
        100.0 * games.draw_rate()
    )?;
    writeln!(out, "ends       {}", listed(games.ends().iter()))?;
    writeln!(out, "starts     {}", listed(games.starts().iter()))?;
    for class in GameClass::ALL {
        let ResignCounts { would_resign, wrong, resigned } = games.resignations(class);
        if would_resign + resigned > 0 {
            let name = class.name();
            writeln!(
                out,
                "resigned   {name}: {resigned}, would have in {would_resign} that were played out, {wrong} of them wrongly"
            )?;
        }
    }
    writeln!(out, "searched by {}", listed(all.models.iter()))?;
    Ok(ExitCode::SUCCESS)
}

fn resignations(games: &Statistics) -> serde_json::Value {
    let figures = GameClass::ALL.into_iter().map(|class| {
        let ResignCounts { would_resign, wrong, resigned } = games.resignations(class);
        let counts = json!({ "would_resign": would_resign, "wrong": wrong, "resigned": resigned });
        (class.name().to_owned(), counts)
    });
    figures.collect::<serde_json::Map<_, _>>().into()
}

fn listed<'c, K: std::fmt::Display>(counts: impl Iterator<Item = (K, &'c u64)>) -> String {
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

fn entropy(policy: &StoredPolicy) -> f64 {
    let shares = policy.pairs().iter().map(|&(_, units)| f64::from(units) / f64::from(u16::MAX));
    shares.map(|share| -share * share.ln()).sum()
}
