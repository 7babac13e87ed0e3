//! Moves of people, by rating.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use chess::{Color, Move};
use engine::Game;
use review::{GameTree, Splitter, read};

use crate::Error;
use crate::rng::Rng;

/// Plies at the beginning of a game that are left out: they are memory, not play.
const OPENING_PLIES: usize = 12;
/// Games at this many seconds or fewer are left out: their moves are of the hand.
const BULLET_SECONDS: u32 = 120;

/// A move of a person and the game up to it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) game: Game,
    pub(super) mv: Move,
}

/// So many moves of players within `width` of each rating, drawn at random from the games of a file.
pub(super) fn moves(
    path: &Path,
    ratings: &[u32],
    width: u32,
    count: usize,
) -> Result<Vec<Vec<Seen>>, Error> {
    let file = File::open(path).map_err(Error::file(path))?;
    let mut splitter = Splitter::new(BufReader::new(file));
    let mut seen: Vec<Vec<Seen>> = vec![Vec::new(); ratings.len()];
    while let Some(raw) = splitter.next_game().map_err(Error::file(path))? {
        let (Some(tree), _) = read(&raw) else { continue };
        if !is_slow(tree.tag("TimeControl")) {
            continue;
        }
        for (rating, seen) in ratings.iter().zip(&mut seen) {
            for color in Color::ALL {
                let is_near = elo(&tree, color).is_some_and(|elo| elo.abs_diff(*rating) <= width);
                if is_near {
                    collect(&tree, color, seen);
                }
            }
        }
    }
    for seen in &mut seen {
        Rng::new(2026).shuffle(seen);
        seen.truncate(count);
    }
    Ok(seen)
}

fn elo(tree: &GameTree, color: Color) -> Option<u32> {
    let name = if color == Color::White { "WhiteElo" } else { "BlackElo" };
    tree.tag(name)?.parse().ok()
}

/// Whether a time control leaves time to think: by the clock plus forty increments.
fn is_slow(control: Option<&str>) -> bool {
    let Some((base, increment)) = control.and_then(|control| control.split_once('+')) else {
        return true;
    };
    let seconds = |text: &str| text.parse::<u32>().unwrap_or(0);
    seconds(base) + 40 * seconds(increment) > BULLET_SECONDS
}

/// The moves of one side where there was something to choose.
fn collect(tree: &GameTree, color: Color, seen: &mut Vec<Seen>) {
    let mut game = Game::new(tree.start);
    for (ply, mv) in tree.moves().into_iter().enumerate() {
        let position = game.position();
        let has_choice = position.count_legal_moves() > 1;
        if ply >= OPENING_PLIES && position.side_to_move() == color && has_choice {
            seen.push(Seen { game: game.clone(), mv });
        }
        game.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_the_right_players_are_found() {
        let moves_text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 \
                          7. Bb3 d6 8. c3 O-O 9. h3 1-0";
        let game = |white, black, control| {
            format!(
                "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\
                 [TimeControl \"{control}\"]\n\n{moves_text}\n\n"
            )
        };
        let text = game("1210", "1650", "180+0") + &game("1200", "?", "60+0");
        let path = std::env::temp_dir().join(format!("halcyon-people-{}.pgn", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let seen = moves(&path, &[1200, 1600, 2000], 50, 10).unwrap();
        let counts: Vec<usize> = seen.iter().map(Vec::len).collect();
        assert_eq!(counts, [3, 2, 0]);
        for Seen { game, mv } in seen.iter().flatten() {
            assert!(game.position().is_legal(*mv));
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn bullet_is_left_out() {
        for (control, slow) in [("60+0", false), ("60+1", false), ("180+0", true), ("60+2", true)] {
            assert_eq!(is_slow(Some(control)), slow, "{control}");
        }
        assert!(is_slow(None) && is_slow(Some("-")));
    }
}
