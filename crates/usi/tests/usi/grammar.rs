use keiko_usi::answer::Answer;
use keiko_usi::command::Command;
use proptest::prelude::*;

/// Words that mean something somewhere, and some that do not.
fn word() -> impl Strategy<Value = String> {
    let known = "usi isready setoption name value usinewgame position startpos sfen moves go ponder infinite btime \
                 wtime byoyomi binc winc nodes depth movetime mate searchmoves stop ponderhit gameover win lose draw \
                 quit id author option type check default spin min max combo var button string filename usiok \
                 readyok bestmove resign info seldepth time nps hashfull multipv score cp lowerbound upperbound \
                 currmove pv checkmate nomate timeout notimplemented none <empty> true false 7g7f 3c3d 8h2b+ P*5e \
                 0 1 -1 + - +0 300000 18446744073709551616 b w - 2Pb \
                 lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL 9/9/9/9/9/9/9/9/9";
    let known: Vec<String> = known.split_whitespace().map(ToOwned::to_owned).collect();
    prop_oneof![4 => prop::sample::select(known), 1 => "\\PC{0,6}"]
}

fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_gui_says_is_written_as_it_is_read(line in line()) {
        if let Ok(Some(command)) = Command::parse(&line) {
            let text = command.to_string();
            prop_assert_eq!(Command::parse(&text), Ok(Some(command)), "{}", text);
        }
    }

    #[test]
    fn what_an_engine_says_is_written_as_it_is_read(line in line()) {
        if let Some(answer) = Answer::parse(&line) {
            let text = answer.to_string();
            prop_assert_eq!(Answer::parse(&text), Some(answer), "{}", text);
        }
    }

    #[test]
    fn any_text_is_survived(text in "\\PC*") {
        let _ = Command::parse(&text);
        let _ = Answer::parse(&text);
    }
}
