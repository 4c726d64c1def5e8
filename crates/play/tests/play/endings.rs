use keiko_inference::Backend;
use keiko_mcts::Wdl;
use keiko_play::{Activity, FinishedGame, Group, GroupSettings, Player};
use keiko_shogi::{EndReason, Game, ImpasseRule, Outcome};

use crate::backends::Constant;
use crate::director::List;
use crate::{SEARCH, game};

/// Both kings have entered and each side has 27 points.
const EVEN: &str = "4K4/9/9/9/9/9/9/9/4k4 b RB2G2S2N2L9Prb2g2s2n2l9p 1";
/// Both kings have entered; White has 17 points.
const SHORT: &str = "4K4/9/9/9/9/9/9/9/4k4 b 2R2B2G2S2N2L9P2g2s2n2l9p 1";
/// Black may declare and win: king and ten pieces in the zone, 30 points.
const WON: &str = "9/1KG6/PPPPPPPPP/9/9/9/9/9/8k b 2R2B 1";

fn play(start: Game, wdl: Wdl) -> FinishedGame<u64> {
    let settings = GroupSettings { slots: 1, batch_shape: 16, jishogi_threshold: 0.05 };
    let players = vec![Player { backend: 0, search: SEARCH }];
    let mut backends: [Box<dyn Backend>; 1] = [Box::new(Constant::new(wdl))];
    let mut list = List::new(start, 1);
    list.simulations = 0;
    let mut group = Group::new(list, players, settings);
    while group.step(&mut backends).unwrap() != Activity::Finished {}
    group.director_mut().finished.pop().unwrap()
}

fn even_chances() -> Wdl {
    Wdl { win: 0.25, draw: 0.5, loss: 0.25 }
}

#[test]
fn two_sides_without_hopes_agree_to_a_draw() {
    let end = play(game(EVEN, ImpasseRule::Jishogi24), even_chances()).end;
    assert_eq!((end.reason, end.outcome), (EndReason::Jishogi, Outcome::Draw));
    assert_eq!(end.ply, 1, "as soon as both have searched");
}

#[test]
fn a_side_that_hopes_for_more_plays_on() {
    let hopeful = Wdl { win: 0.6, draw: 0.0, loss: 0.4 };
    let end = play(game(EVEN, ImpasseRule::Jishogi24), hopeful).end;
    assert_ne!(end.reason, EndReason::Jishogi);
}

#[test]
fn a_side_that_would_lose_the_count_never_agrees() {
    let end = play(game(SHORT, ImpasseRule::Jishogi24), even_chances()).end;
    assert_ne!(end.reason, EndReason::Jishogi);
}

#[test]
fn there_is_no_agreement_under_another_rule() {
    let end = play(game(EVEN, ImpasseRule::Csa27), even_chances()).end;
    assert_ne!(end.reason, EndReason::Jishogi);
}

#[test]
fn a_won_declaration_is_made_before_any_search() {
    let finished = play(game(WON, ImpasseRule::Csa27), even_chances());
    assert_eq!(finished.end.reason, EndReason::NyugyokuDeclaration);
    assert_eq!(finished.end.outcome, Outcome::BlackWins);
    assert!(finished.plies.is_empty());
}
