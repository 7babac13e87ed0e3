//! The review of a game: its positions one by one, then the moves that gave something away, then the
//! levels that its players are compared with.

use chess::{Color, Move};
use engine::Game;
use review::{
    Eval, GameTree, PeerPlan, PeerStep, PositionAnalysis, Review, ReviewPlan, judge, play_or_pass,
};

use crate::coach;
use crate::pgn::read_game;
use crate::protocol::{Answer, JudgedMove, Lesson, PeerReview, Resources, Score};
use crate::rules::steps;
use crate::task::{Question, Task};
use crate::view::View;

/// Moves of a better line that go into the reviewed game.
const LINE_PLIES: usize = 12;
/// Nodes for each position of a review.
const NODES: std::ops::RangeInclusive<u64> = 1_000..=2_000_000;
/// Each of the searches that explain a move has this part of the nodes of a position.
const EXPLAIN_SHARE: u64 = 4;
/// And no more than this: there are up to ten of them.
const EXPLAIN_NODES: u64 = 50_000;

/// A search that judges the move of a level has this part of the nodes of a position.
const PEER_SHARE: u64 = 4;

/// A game that is being reviewed.
pub(crate) struct GameReview {
    pub(crate) id: u32,
    nodes: u64,
    explain: bool,
    compare: bool,
    resources: Option<Resources>,
    tree: GameTree,
    stage: Stage,
}

enum Stage {
    /// Its positions are searched.
    Positions(Box<ReviewPlan>),
    /// Its moves are judged, and the bad ones are explained.
    Moves(Box<Judged>),
}

struct Judged {
    /// What was found, the first position first.
    analyses: Vec<PositionAnalysis>,
    review: Review,
    /// One entry for each move; none if it is not explained, or not yet.
    lessons: Vec<Option<Box<Lesson>>>,
    /// The moves that are to be explained, with their index. A pass is none.
    open: Vec<(usize, Move)>,
    done: usize,
    /// The comparison, if there is one.
    peers: Option<PeerPlan>,
}

impl GameReview {
    /// Begins to review a game.
    ///
    /// # Errors
    /// If there is no game in the text, for people.
    pub(crate) fn new(id: u32, pgn: &str, nodes: u64, explain: bool) -> Result<Self, String> {
        let (tree, _) = read_game(pgn, 1)?;
        if tree.main.plies.is_empty() {
            return Err("there is no move to review".into());
        }
        let nodes = nodes.clamp(*NODES.start(), *NODES.end());
        let stage = Stage::Positions(Box::new(ReviewPlan::new(&tree)));
        Ok(Self { id, nodes, explain, compare: false, resources: None, tree, stage })
    }

    /// With the threads and the table that the page has asked for.
    pub(crate) fn with(self, resources: Option<Resources>) -> Self {
        Self { resources, ..self }
    }

    /// With a comparison of the players with the levels of their ratings, or without.
    pub(crate) fn comparing(self, compare: bool) -> Self {
        Self { compare, ..self }
    }

    /// The search that is to be done next.
    pub(crate) fn next_task(&mut self) -> Option<Task> {
        if let Stage::Positions(plan) = &mut self.stage {
            if let Some(game) = plan.next_game() {
                return Some(Task::review(game.clone(), self.nodes).with(self.resources));
            }
            let plan =
                std::mem::replace(&mut **plan, ReviewPlan::new(&GameTree::new(self.tree.start)));
            let judged = Judged::new(&self.tree, plan.finish(), self.explain, self.compare);
            self.stage = Stage::Moves(Box::new(judged));
        }
        let Stage::Moves(judged) = &self.stage else { return None };
        let Some(&(index, mv)) = judged.open.get(judged.done) else {
            return match judged.peers.as_ref()?.next_step()? {
                PeerStep::Choose { game, elo } => Some(Task::peer(game, elo)),
                PeerStep::Search { game } => {
                    let nodes = (self.nodes / PEER_SHARE).max(*NODES.start());
                    Some(Task::review(game, nodes).with(self.resources))
                }
            };
        };
        let known = (judged.analyses[index].clone(), judged.analyses[index + 1].clone());
        let question = Question { mv, known: Some(Box::new(known)) };
        let nodes = (self.nodes / EXPLAIN_SHARE).clamp(*coach::NODES.start(), EXPLAIN_NODES);
        Some(Task::explain(self.game_at(index), question, nodes))
    }

    /// The game up to the position before a move.
    fn game_at(&self, index: usize) -> Game {
        let mut game = Game::new(self.tree.start);
        for ply in &self.tree.main.plies[..index] {
            play_or_pass(&mut game, ply.mv);
        }
        game
    }

    /// Takes in what a search has found, and reports how far the review is. None if the search has
    /// found nothing.
    pub(crate) fn take(&mut self, view: &mut View) -> Option<Answer> {
        let id = self.id;
        match &mut self.stage {
            Stage::Positions(plan) => {
                let ply = plan.next_ply()?;
                let position = *plan.next_game()?.position();
                let lines = view.found();
                let best = lines.first()?;
                let (score, wdl) = view.score(best.score);
                let depth = best.depth;
                plan.take(PositionAnalysis::new(&position, best.score, &lines, view.nodes()));
                let (done, total) = (plan.done(), plan.total());
                Some(Answer::Progress { id, done, total, ply, score, wdl, depth })
            }
            Stage::Moves(judged) if judged.done == judged.open.len() => {
                let peers = judged.peers.as_mut()?;
                match peers.next_step()? {
                    PeerStep::Choose { .. } => peers.choose(view.end()?.best?),
                    PeerStep::Search { game } => {
                        let lines = view.found();
                        let score = lines.first()?.score;
                        let position = game.position();
                        peers.take(&PositionAnalysis::new(position, score, &lines, view.nodes()));
                    }
                }
                Some(Answer::Comparing { id, done: peers.done(), total: peers.total() })
            }
            Stage::Moves(judged) => {
                let (position, lesson) = view.take_lesson()?;
                let &(index, _) = judged.open.get(judged.done)?;
                judged.lessons[index] = Some(Box::new(coach::lesson(&position, &lesson)));
                judged.done += 1;
                Some(Answer::Explaining { id, done: judged.done, total: judged.open.len() })
            }
        }
    }

    /// The reviewed game, once there is nothing left to search.
    pub(crate) fn result(self) -> Option<Answer> {
        let Stage::Moves(judged) = self.stage else { return None };
        let Judged { analyses, review, lessons, peers, .. } = *judged;
        let positions = self.tree.positions();
        let plies = review.plies.iter().zip(lessons).enumerate().map(|(index, (ply, lesson))| {
            let (before, after) = (&analyses[index], &analyses[index + 1]);
            let best = before.lines.first().map(|line| line.moves.as_slice()).unwrap_or_default();
            JudgedMove {
                loss: ply.loss,
                accuracy: ply.accuracy,
                judgement: ply.judgement,
                best: steps(positions[index], &best[..best.len().min(LINE_PLIES)]),
                score: shown(after.eval),
                wdl: after.wdl,
                depth: after.depth,
                lesson,
            }
        });
        let (plies, white, black) = (plies.collect(), review.white, review.black);
        let peer = |color| Some(shown_peer(&peers.as_ref()?.side(color)?));
        let (white_peer, black_peer) = (peer(Color::White), peer(Color::Black));
        Some(Answer::Reviewed { id: self.id, plies, white, black, white_peer, black_peer })
    }
}

impl Judged {
    fn new(tree: &GameTree, analyses: Vec<PositionAnalysis>, explain: bool, compare: bool) -> Self {
        let review = judge(tree, &analyses, 0);
        let moves = tree.main.plies.iter().zip(&review.plies).enumerate();
        let bad = moves.filter(|(_, (_, review))| review.judgement.is_some());
        let named = bad.filter_map(|(index, (ply, _))| Some((index, ply.mv?)));
        let open = if explain { named.collect() } else { Vec::new() };
        let lessons = vec![None; review.plies.len()];
        let peers = compare.then(|| PeerPlan::new(tree, &analyses, &review));
        Self { analyses, review, lessons, open, done: 0, peers }
    }
}

fn shown_peer(peer: &review::PeerReview) -> PeerReview {
    let review::PeerReview { elo, positions, own, level } = *peer;
    PeerReview { elo, positions, own, level }
}

/// A score as the page writes it; none where the game is over.
fn shown(eval: Eval) -> Option<Score> {
    match eval {
        Eval::Cp(cp) => Some(Score::Cp(cp)),
        Eval::Mate(moves) => Some(Score::Mate(moves)),
        Eval::Over(_) => None,
    }
}
