use super::*;
use crate::datagen::{GameRules, play_game};

fn rules(nodes: u64, every: usize) -> LabelRules {
    let filter = PositionFilter { min_ply: 0, max_score: 1500, ..PositionFilter::default() };
    LabelRules {
        nodes,
        every,
        per_game: 0,
        pv_plies: 0,
        tree_depth: 0,
        evaluated: 0,
        evaluated_nodes: 300,
        filter,
        seed: 3,
    }
}

fn game() -> (SingleThreadEngine, Game) {
    let mut engine = SingleThreadEngine::new(1).unwrap();
    let rules = GameRules { soft_nodes: 60, max_plies: 120, ..GameRules::default() };
    let game = play_game(&mut engine, &rules, None, &mut Rng::derived(5, 1));
    (engine, game)
}

#[test]
fn picked_positions_are_kept_by_the_filter_and_far_apart() {
    let (_, game) = game();
    let rules = rules(100, 6);
    let picked = pick(&game, &rules, &mut Rng::new(1));
    assert!(picked.windows(2).all(|pair| pair[0] < pair[1]));
    let mut kept = Vec::new();
    let mut ply = 0;
    game.replay(|position, scored| {
        if rules.filter.keeps(position, scored) {
            kept.push(ply);
        }
        ply += 1;
    });
    assert!(picked.iter().all(|ply| kept.contains(ply)));
    assert!(picked.len() * 3 <= kept.len(), "{} of {}", picked.len(), kept.len());
    assert!(picked.len() * 12 >= kept.len(), "{} of {}", picked.len(), kept.len());
    let few = LabelRules { per_game: 2, ..rules };
    assert_eq!(pick(&game, &few, &mut Rng::new(1)).len(), 2);
}

#[test]
fn labels_repeat_themselves_and_are_those_of_the_search() {
    let (mut engine, game) = game();
    let rules = rules(400, 4);
    let first = label_game(&mut engine, &game, &rules);
    assert!(!first.is_empty());
    let mut other = SingleThreadEngine::new(1).unwrap();
    assert_eq!(label_game(&mut other, &game, &rules), first);
    assert_ne!(label_game(&mut other, &game, &LabelRules { seed: 4, ..rules.clone() }), first);
    // The first label comes from a fresh engine, so a fresh search gives it again.
    let mut line = engine::Game::new(game.start);
    for scored in &game.moves {
        if *line.position() == first[0].position {
            break;
        }
        line.play(scored.mv);
    }
    other.new_game();
    let (best, _) = other.search(&line, &Limits::nodes(400)).unwrap();
    let learned = i32::from(first[0].packed().score);
    assert_eq!(learned, engine::unscale_eval(line.position(), best.score.raw()));
    assert_ne!(learned, best.score.raw(), "the search's own score is not what is learned");
    let epd = first[0].epd();
    assert!(epd.contains(&format!(" ce {}; ", best.score.raw())), "{epd}");
}

#[test]
fn the_limit_on_scores_chooses_positions_and_not_labels() {
    let (mut engine, game) = game();
    let all = label_game(&mut engine, &game, &rules(400, 1));
    let limit = 60;
    let filter = PositionFilter { max_score: limit, ..rules(400, 1).filter };
    let few = label_game(&mut engine, &game, &LabelRules { filter, ..rules(400, 1) });
    assert!(!few.is_empty() && few.len() < all.len());
    let high = few.iter().filter(|label| label.white_score.unsigned_abs() >= limit).count();
    assert!(high > 0, "{} labels, all low", few.len());
}

#[test]
fn the_tree_of_a_search_gives_labels_with_bounds() {
    let (mut engine, game) = game();
    let alone = label_game(&mut engine, &game, &rules(2000, 8));
    let tree_rules = LabelRules { tree_depth: 3, ..rules(2000, 8) };
    let tree = label_game(&mut engine, &game, &tree_rules);
    assert!(tree.len() > 10 * alone.len(), "{} and {}", tree.len(), alone.len());
    assert_eq!(label_game(&mut SingleThreadEngine::new(1).unwrap(), &game, &tree_rules), tree);
    let mut keys: Vec<u64> = tree.iter().map(|label| label.position.key()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), tree.len());
    let of = |bound| tree.iter().filter(|label| label.packed().bound == bound).count();
    let (exact, upper, lower) = (of(0), of(PackedPosition::UPPER), of(PackedPosition::LOWER));
    assert!(exact > 0 && upper > 0 && lower > 0, "{exact}, {upper}, {lower}");
    assert!(tree.iter().all(|label| label.packed().is_sound() && !label.position.is_check()));
    assert_ne!(tree_rules.to_text(), rules(2000, 8).to_text());
}

#[test]
fn positions_of_the_principal_variation_share_its_score() {
    let (mut engine, game) = game();
    let alone = label_game(&mut engine, &game, &rules(400, 4));
    let pv_rules = LabelRules { pv_plies: 2, ..rules(400, 4) };
    let with_pv = label_game(&mut engine, &game, &pv_rules);
    assert!(with_pv.len() > alone.len(), "{} and {}", with_pv.len(), alone.len());
    assert!(alone.iter().all(|label| with_pv.contains(label)));
    // What is new is one or two quiet plies after a searched position, with its score.
    let further = with_pv.iter().filter(|label| !alone.contains(label));
    assert!(further.clone().all(|label| !label.position.is_check()));
    let (mut seen, mut line) = (Vec::new(), engine::Game::new(game.start));
    for scored in &game.moves {
        seen.push(*line.position());
        line.play(scored.mv);
    }
    assert!(further.clone().any(|label| !seen.contains(&label.position)));
    assert_ne!(pv_rules.to_text(), rules(400, 4).to_text());
}

/// What a fresh engine finds with as many nodes as `rules` has for positions inside a search.
fn searched_afresh(label: &Label) -> Line {
    let mut engine = SingleThreadEngine::new(1).unwrap();
    let line = engine::Game::new(label.position);
    engine.search(&line, &Limits::nodes(300)).unwrap().0
}

#[test]
fn evaluated_positions_are_labelled_by_searches_of_their_own() {
    let (mut engine, game) = game();
    let alone = label_game(&mut engine, &game, &rules(400, 8));
    let sampled = LabelRules { evaluated: 6, ..rules(400, 8) };
    let labels = label_game(&mut engine, &game, &sampled);
    assert!(labels.len() > 3 * alone.len(), "{} and {}", labels.len(), alone.len());
    assert_eq!(label_game(&mut SingleThreadEngine::new(1).unwrap(), &game, &sampled), labels);
    let inside: Vec<&Label> = labels.iter().filter(|label| label.depth > 0).collect();
    assert!(inside.len() > alone.len());
    assert!(inside.iter().all(|label| !label.position.is_check()));
    // They are not those of the game.
    let mut played = vec![game.start];
    game.replay(|position, _| played.push(*position));
    let new = inside.iter().filter(|label| !played.contains(&label.position)).count();
    assert!(new * 10 > inside.len() * 8, "{new} of {}", inside.len());
    for label in inside.iter().step_by(7) {
        let best = searched_afresh(label);
        let fresh = white_score(best.score, label.position.side_to_move());
        let difference = i32::from(fresh) - i32::from(label.white_score);
        assert!(difference.abs() < 400, "{} {difference}", label.position.to_fen());
    }
    for other in [
        LabelRules { evaluated: 5, ..sampled.clone() },
        LabelRules { evaluated_nodes: 301, ..sampled.clone() },
    ] {
        assert_ne!(other.to_text(), sampled.to_text());
    }
}

#[test]
fn evaluated_positions_with_a_hanging_piece_keep_their_label() {
    let (mut engine, game) = game();
    let sampled = LabelRules { evaluated: 12, ..rules(400, 6) };
    let labels = label_game(&mut engine, &game, &sampled);
    let takes = |label: &&Label| searched_afresh(label).pv[0].is_capture();
    let inside: Vec<&Label> = labels.iter().filter(|label| label.depth > 0).collect();
    let noisy = inside.iter().step_by(3).filter(|label| takes(label)).count();
    assert!(noisy * 20 > inside.len() / 3, "{noisy} of {}", inside.len() / 3);
}
