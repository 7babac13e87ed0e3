//! The thread that carries commands out, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use engine::{Control, Report, Reporter as _};

use crate::answers;
use crate::command::{
    BenchRequest, Command, HashRequest, Reading, SpeedRequest, StatsRequest, TraceRequest,
};
use crate::desk::{Desk, Stoppable, Ticket};
use crate::game::Played;
use crate::go::GoRequest;
use crate::info::{Printer, per_second};
use crate::inspection;
use crate::openings;
use crate::options::Values;
use crate::output::Output;
use crate::panel::Latest;
use crate::perft::{self, Watch};
use crate::picture::Paint;
use crate::session::Session;
use crate::speed::{BenchRun, SpeedStop, SpeedTest};
use crate::words::{Complaint, quote};
use engine::wdl::Curve;

impl Stoppable for Control {
    fn stop(&self) {
        Self::stop(self);
    }

    fn ponder_hit(&self) {
        Self::ponder_hit(self);
    }
}

impl Stoppable for Arc<Watch> {
    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

impl Stoppable for SpeedStop {
    fn stop(&self) {
        Self::stop(self);
    }
}

/// The work that can be stopped, by kind: a search ends with the session, other work is finished.
#[derive(Default)]
pub struct Desks {
    /// Searches: `isready` does not wait for them.
    pub searches: Desk,
    /// Everything else that takes long.
    pub chores: Desk,
    /// What the last search has counted, or the one that runs.
    pub latest: Latest,
}

impl Desks {
    /// Where a command belongs that takes long.
    #[must_use]
    pub fn of(&self, command: &Command) -> Option<&Desk> {
        match command {
            Command::Go(_) => Some(&self.searches),
            Command::Perft(_)
            | Command::Bench(_)
            | Command::SpeedTest(_)
            | Command::Openings(_)
            | Command::QuiescencePerft(_)
            | Command::Trace(_) => Some(&self.chores),
            _ => None,
        }
    }
}

/// A line that waits to be carried out.
pub struct Job {
    /// The line.
    pub reading: Reading,
    /// When it came in: the clock of a search runs from here.
    pub received: Instant,
    /// Its number, if it takes long.
    pub ticket: Option<Ticket>,
}

/// Carries out commands.
pub struct Executor {
    session: Session,
    values: Values,
    desks: Arc<Desks>,
    paint: Paint,
    /// Whether a search has begun and not yet answered.
    owes_best_move: bool,
}

impl Executor {
    /// At the start of a game.
    #[must_use]
    pub fn new(output: Output, desks: Arc<Desks>, paint: Paint) -> Self {
        let (session, values) = (Session::new(output), Values::default());
        Self { session, values, desks, paint, owes_best_move: false }
    }

    /// Carries out what comes until nothing comes any more.
    pub fn run(&mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            self.carry_out(job);
        }
    }

    /// Carries out one line. An error in the engine costs this command, not the session.
    fn carry_out(&mut self, job: Job) {
        let Job { reading: Reading { command, complaint }, received, ticket } = job;
        if let Some(complaint) = &complaint {
            self.session.output.complain(complaint);
        }
        let Some(command) = command else { return };
        let done = catch_unwind(AssertUnwindSafe(|| match (&command, ticket) {
            (Command::Go(request), Some(ticket)) => {
                self.search(request, ticket, received, complaint.is_none());
                Ok(())
            }
            (_, Some(ticket)) => self.work(&command, ticket),
            (_, None) => self.answer(&command),
        }));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(complaint)) => self.session.output.complain(&complaint),
            Err(_) => self.recover(),
        }
        if let (Some(desk), Some(ticket)) = (self.desks.of(&command), ticket) {
            desk.end(ticket);
        }
    }

    /// Begins with a new engine after an error inside the old one, and pays what is owed.
    fn recover(&mut self) {
        self.session.replace_engine();
        self.values.restore(&mut self.session);
        let complaint = Complaint::new(
            "the engine failed, which is a bug worth reporting",
            "options and position kept",
        );
        self.session.output.complain(&complaint);
        if std::mem::take(&mut self.owes_best_move) {
            let any = self.session.position().legal_moves().first().copied();
            self.session.output.line(&self.session.display.best_move(any, None));
        }
    }

    fn search(&mut self, request: &GoRequest, ticket: Ticket, received: Instant, complain: bool) {
        let session = &mut self.session;
        let (limits, complaint) = request.limits(session.position(), received);
        if let Some(complaint) = complaint.filter(|_| complain) {
            session.output.complain(&complaint);
        }
        if session.debug() {
            session
                .output
                .note(&format!("searching {} with {limits:?}", session.position().to_fen()));
        }
        self.owes_best_move = true;
        let output = session.output.clone();
        let control = session.engine.control();
        self.desks.searches.begin(ticket, control, |control| control.arm(request.ponder));
        let curve = Curve::of(session.position());
        let mut printer = Printer::new(&output, session.display, curve, received);
        let latest = &self.desks.latest;
        latest.set(None);
        let outcome = session.engine.search(&limits, &mut |report: &Report| match report {
            Report::Statistics(statistics) => latest.set(Some(statistics.as_ref().clone())),
            other => printer.report(other),
        });
        latest.set(outcome.statistics.clone());
        // Whoever has seen the best move may expect the next `isready` to wait its turn.
        self.desks.searches.end(ticket);
        if session.debug() {
            session.output.note(&format!("answered after {:?}", received.elapsed()));
            if let Some(summary) = latest.summary() {
                session.output.note(&summary);
            }
        }
        if outcome.best_move.is_none() && session.position().has_legal_move() {
            self.recover();
            return;
        }
        session.report_broken_table();
        if outcome.failed_threads > 0 {
            let wrong = format!(
                "{} of the search threads failed, which is a bug worth reporting",
                outcome.failed_threads
            );
            session.output.complain(&Complaint::new(wrong, "the others found a move"));
        }
        printer.finish(&outcome);
        self.owes_best_move = false;
    }

    /// Carries out a command that takes long and is not a search.
    fn work(&mut self, command: &Command, ticket: Ticket) -> Result<(), Complaint> {
        match command {
            Command::Bench(request) => self.bench(*request, ticket),
            Command::SpeedTest(request) => self.speedtest(*request, ticket),
            Command::Openings(request) => {
                openings::run(request, &self.session.output).map_err(Complaint::ignored)
            }
            Command::Perft(depth) => {
                self.perft(*depth, ticket);
                Ok(())
            }
            Command::QuiescencePerft(depth) => self.quiescence_perft(*depth, ticket),
            Command::Trace(request) => self.trace(request, ticket),
            _ => Ok(()),
        }
    }

    fn perft(&mut self, depth: u32, ticket: Ticket) {
        let session = &self.session;
        let watch = Arc::new(Watch::default());
        self.desks.chores.begin(ticket, Arc::clone(&watch), |_| ());
        let started = Instant::now();
        let mut sum = u64::from(depth == 0);
        let finished = depth == 0
            || perft::divide(session.position(), depth, &watch, |mv, count| {
                sum += count;
                session.output.line(&format!("{}: {count}", session.display.mv(mv)));
            });
        if !finished {
            session.output.note("perft stopped");
            return;
        }
        let time = started.elapsed();
        session.output.line(&format!("\nNodes searched: {sum}"));
        let speed = per_second(sum, time);
        session.output.note(&format!("time {} ms, {speed} nodes per second", time.as_millis()));
    }

    fn quiescence_perft(&mut self, depth: u32, ticket: Ticket) -> Result<(), Complaint> {
        let session = &self.session;
        let mut inspector = inspection::inspector(session)?;
        self.desks.chores.begin(ticket, inspector.control(), |_| ());
        let answer = inspector
            .perft(depth)
            .map(|found| inspection::quiescence_perft(session.display, depth, &found));
        session.output.line(&answer.unwrap_or_else(|| String::from("info string qperft stopped")));
        Ok(())
    }

    fn trace(&mut self, request: &TraceRequest, ticket: Ticket) -> Result<(), Complaint> {
        let mut inspector = inspection::inspector(&self.session)?;
        self.desks.chores.begin(ticket, inspector.control(), |_| ());
        let answer = inspection::write_trace(&self.session, &mut inspector, request)?;
        self.session.output.line(&answer);
        Ok(())
    }

    fn bench(&mut self, request: BenchRequest, ticket: Ticket) -> Result<(), Complaint> {
        let network = self.session.engine.network();
        let bench = BenchRun::new(request, network).map_err(Complaint::ignored)?;
        self.desks.chores.begin(ticket, bench.stopper(), |_| ());
        bench.run(&self.session.output);
        Ok(())
    }

    fn speedtest(&mut self, request: SpeedRequest, ticket: Ticket) -> Result<(), Complaint> {
        let network = self.session.engine.network();
        let test = SpeedTest::new(request, network).map_err(Complaint::ignored)?;
        self.desks.chores.begin(ticket, test.stopper(), |_| ());
        test.run(&self.session.output);
        Ok(())
    }

    /// Carries out a command that is done at once.
    fn answer(&mut self, command: &Command) -> Result<(), Complaint> {
        let session = &mut self.session;
        let text = match command {
            Command::Uci => answers::identification(),
            Command::IsReady => String::from("readyok"),
            Command::Display => answers::board(session, self.paint),
            Command::Eval => answers::evaluation(session),
            Command::Moves => answers::moves(session.position(), session.display),
            Command::See(text) => answers::exchange(session.position(), text)?,
            Command::Compiler => answers::compiler(),
            Command::License => answers::license().to_owned(),
            Command::Help => answers::help(),
            Command::Spsa => answers::parameters(),
            Command::Stats(StatsRequest::Show(form)) => self.desks.latest.describe(*form),
            Command::QuiescenceStats(form) => self.desks.latest.describe_quiescence(*form),
            Command::QuiescenceSearch => inspection::quiescence(session)?,
            Command::QuiescenceValidate(request) => {
                inspection::validate(session, request.as_ref())?
            }
            other => return self.change(other),
        };
        session.output.line(&text);
        Ok(())
    }

    /// Carries out a command that changes something and says nothing.
    fn change(&mut self, command: &Command) -> Result<(), Complaint> {
        let session = &mut self.session;
        match command {
            Command::Debug(on) => session.set_debug(*on),
            Command::Stats(StatsRequest::Switch(on)) => session.set_statistics(*on),
            Command::QuiescenceDebug(on) => session.quiescence_debug = *on,
            Command::SetOption { name, value } => {
                return self.values.set(session, name, value.as_deref());
            }
            Command::NewGame => session.engine.new_game(),
            Command::Position(request) => session.set_played(request.resolve()?),
            Command::Flip => {
                let flipped = session.position().color_flipped();
                session.set_played(Played::new(flipped));
            }
            Command::Hash(request) => return self.keep_hash(request),
            Command::Play(text) => return self.play(text),
            Command::SetUp(request) => {
                session.set_played(request.resolve()?);
                self.show_board();
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the table to a file or reads it from one, and says so.
    fn keep_hash(&mut self, request: &HashRequest) -> Result<(), Complaint> {
        let engine = &mut self.session.engine;
        let (file, done, verb) = match request {
            HashRequest::Save(file) => (file, engine.save_hash(Path::new(file)), "saved"),
            HashRequest::Load(file) => (file, engine.load_hash(Path::new(file)), "loaded"),
        };
        done.map_err(|error| {
            Complaint::new(format!("hash {} not {verb}: {error}", quote(file)), "table kept")
        })?;
        let note = format!("hash {verb}, {} MiB", engine.hash());
        self.session.output.note(&note);
        Ok(())
    }

    /// Plays moves that somebody typed, all or none, and shows the board.
    fn play(&mut self, text: &str) -> Result<(), Complaint> {
        let mut played = self.session.played().clone();
        for word in text.split_ascii_whitespace() {
            played.play(answers::find_move(played.position(), word)?);
        }
        self.session.set_played(played);
        self.show_board();
        Ok(())
    }

    fn show_board(&self) {
        self.session.output.line(&answers::board(&self.session, self.paint));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::Kept;

    #[test]
    fn a_failed_search_costs_neither_the_best_move_nor_the_session() {
        let kept = Kept::default();
        let output = Output::new(kept.clone());
        let mut executor = Executor::new(output, Arc::default(), Paint::Plain);
        let change = |name: &str, value: &str| Command::SetOption {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        };
        executor.answer(&change("MultiPV", "4")).unwrap();
        executor.answer(&Command::Play(String::from("e4"))).unwrap();
        executor.owes_best_move = true;
        executor.recover();
        let text = kept.text();
        let [.., error, answer] = &text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(error.starts_with("info string error: the engine failed"), "{text}");
        let mv = answer.strip_prefix("bestmove ").unwrap();
        assert!(executor.session.position().parse_uci(mv).is_ok(), "{text}");
        assert_eq!(executor.session.engine.settings().multipv, 4);
        assert_eq!(executor.session.engine.game().position(), executor.session.position());
        assert!(!executor.owes_best_move);
    }
}
