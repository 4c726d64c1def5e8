use keiko_shogi::{Game, MoveList, Rules};

/// A source of lines, the same for the same seed.
pub(crate) struct Noise {
    state: u64,
}

const SFENS: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "8k/9/8P/9/9/9/9/9/8K b G 1",
    "8k/8G/8P/9/9/9/9/9/8K w - 1",
    "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3Pb4g4s4n4l5p 1",
    "3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1",
    "8l/1R2S1kgr/3pp2p1/p2nlpp1p/5ns2/2+BPl3P/1PNK1PP2/1GGS2S2/5G1NL b B3P3p 1",
    "4k4/9/4P4/9/9/9/9/8r/8K b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
];

/// Words to build lines of and to spoil them with.
const WORDS: [&str; 54] = [
    "usi",
    "isready",
    "setoption",
    "name",
    "value",
    "usinewgame",
    "position",
    "startpos",
    "sfen",
    "moves",
    "go",
    "ponder",
    "infinite",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "winc",
    "nodes",
    "depth",
    "movetime",
    "mate",
    "searchmoves",
    "stop",
    "ponderhit",
    "gameover",
    "win",
    "lose",
    "draw",
    "MultiPV",
    "USI_Ponder",
    "Threads",
    "true",
    "false",
    "7g7f",
    "3c3d",
    "2g2f",
    "8h2b+",
    "P*5e",
    "5i5h",
    "resign",
    "0",
    "1",
    "-1",
    "7",
    "30",
    "18446744073709551616",
    "b",
    "w",
    "-",
    "9/9/9/9/9/9/9/9/9",
    "\u{feff}",
    "<empty>",
    "\u{0}",
];

const OPTIONS: [&str; 12] = [
    "MultiPV value 3",
    "MultiPV value 1",
    "USI_Ponder value true",
    "PV_Interval value 0",
    "PV_Interval value 1",
    "DNN_Batch_Size value 2",
    "Threads value 2",
    "Threads value 1",
    "NodesLimit value 3",
    "NodesLimit value 0",
    "Softmax_Temperature value 100",
    "USI_Hash value 1",
];

impl Noise {
    pub(crate) fn new(seed: u64) -> Noise {
        Noise { state: seed }
    }

    /// A number below `end`, by a linear congruential generator, which is random enough.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) as usize % end
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// A line that a GUI says, spoiled now and then.
    pub(crate) fn line(&mut self) -> String {
        let line = match self.below(20) {
            0 => return self.words(),
            1..=5 => self.position(),
            6..=11 => self.go(),
            12 | 13 => "stop".to_owned(),
            14 => self.one_of(&["ponderhit", "ponderhit btime 0 wtime 0 byoyomi 30"]).to_owned(),
            15 => format!("setoption name {}", self.one_of(&OPTIONS)),
            16 => self.one_of(&["usinewgame", "gameover win", "gameover lose"]).to_owned(),
            17 => "isready".to_owned(),
            18 => self.one_of(&["usi", "", "d", "gameover draw"]).to_owned(),
            _ => self.go(),
        };
        if self.below(8) == 0 { self.spoiled(line) } else { line }
    }

    fn words(&mut self) -> String {
        let count = self.below(8);
        (0..count).map(|_| self.one_of(&WORDS)).collect::<Vec<_>>().join(" ")
    }

    fn position(&mut self) -> String {
        let sfen = self.one_of(&SFENS);
        let (text, mut game) = match self.below(2) {
            0 => ("startpos".to_owned(), Game::startpos(Rules::STANDARD)),
            _ => {
                let (position, number) = keiko_shogi::Position::from_sfen(sfen).unwrap();
                (format!("sfen {sfen}"), Game::new(position, number, Rules::STANDARD))
            }
        };
        let plies = [0, 1, 2, 3, 8, 40][self.below(6)];
        let mut moves = Vec::new();
        for _ in 0..plies {
            let mut legal = MoveList::new();
            game.legal_moves(&mut legal);
            if legal.is_empty() {
                break;
            }
            let mv = legal[self.below(legal.len())];
            game.play(mv);
            moves.push(mv.to_string());
        }
        match moves.is_empty() {
            true => format!("position {text}"),
            false => format!("position {text} moves {}", moves.join(" ")),
        }
    }

    fn go(&mut self) -> String {
        let number = [0, 1, 5, 20, 50][self.below(5)];
        match self.below(14) {
            0 => "go infinite".to_owned(),
            1 => "go ponder".to_owned(),
            2 => format!("go ponder btime {number} wtime {number} byoyomi {number}"),
            3 => format!("go btime {number} wtime 50 byoyomi {number}"),
            4 => format!("go btime 50 wtime {number} binc {number} winc 5"),
            5 => format!("go movetime {number}"),
            6 => format!("go mate {number}"),
            7 => "go mate infinite".to_owned(),
            8 => format!("go mate nodes {number}"),
            9 => format!("go depth {}", number % 3),
            10 => format!("go nodes {number} searchmoves 7g7f 2g2f G*1b 3c3d"),
            _ => format!("go nodes {number}"),
        }
    }

    /// A word dropped, doubled, replaced or cut, or two lines in one.
    fn spoiled(&mut self, line: String) -> String {
        let mut words: Vec<String> = line.split(' ').map(ToOwned::to_owned).collect();
        let at = self.below(words.len());
        match self.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 => words[at] = self.one_of(&WORDS).to_owned(),
            3 => words.truncate(at),
            4 => {
                let length = words[at].chars().count();
                words[at] = words[at].chars().take(self.below(length + 1)).collect();
            }
            _ => words.push(self.one_of(&WORDS).to_owned()),
        }
        words.join(if self.below(10) == 0 { "\t " } else { " " })
    }
}
