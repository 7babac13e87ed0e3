//! The thread that carries commands out, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use engine::{Control, HashFileError, Report, Reporter as _};

use crate::answers;
use crate::board_text::Paint;
use crate::command::{
    BenchRequest, Command, HashRequest, Parsed, SpeedRequest, StatsRequest, TraceRequest,
};
use crate::files;
use crate::game::Played;
use crate::go::{self, GoRequest};
use crate::info::{Printer, per_second};
use crate::inspection;
use crate::job_queue::Ticket;
use crate::jobs::{Job, Jobs};
use crate::openings::{self, OpeningsStop};
use crate::options::Values;
use crate::output::Output;
use crate::perft::{self, Watch};
use crate::session::Session;
use crate::speed::{BenchRun, SpeedTest};
use crate::text::{CommandError, quote};
use engine::wdl::Curve;

/// Carries out commands on its own thread.
pub struct Executor {
    session: Session,
    values: Values,
    jobs: Arc<Jobs>,
    paint: Paint,
    /// Whether a search has begun and not yet answered.
    owes_best_move: bool,
}

impl Executor {
    /// At the start of a game.
    #[must_use]
    pub fn new(output: Output, jobs: Arc<Jobs>, paint: Paint) -> Self {
        let (session, values) = (Session::new(output), Values::default());
        Self { session, values, jobs, paint, owes_best_move: false }
    }

    /// Carries out what comes until nothing comes any more.
    pub fn run(&mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            self.carry_out(job);
        }
    }

    /// Carries out one line. An error in the engine costs this command, not the session.
    fn carry_out(&mut self, job: Job) {
        let Job { parsed: Parsed { command, error }, received, ticket } = job;
        if let Some(error) = &error {
            self.session.output.error(error);
        }
        let Some(command) = command else { return };
        let done = catch_unwind(AssertUnwindSafe(|| match (&command, ticket) {
            (Command::Go(request), Some(ticket)) => {
                self.search(request, ticket, received, error.is_none());
                Ok(())
            }
            (_, Some(ticket)) => self.work(&command, ticket),
            (_, None) => self.answer(&command),
        }));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.session.output.error(&error),
            Err(_) => self.recover(),
        }
        if let (Some(queue), Some(ticket)) = (self.jobs.of(&command), ticket) {
            queue.end(ticket);
        }
    }

    /// Begins with a new engine after an error inside the old one, and pays what is owed.
    fn recover(&mut self) {
        self.session.replace_engine();
        self.values.restore(&mut self.session);
        let error = CommandError::new(
            "the engine failed, which is a bug worth reporting",
            "options and position kept",
        );
        self.session.output.error(&error);
        if std::mem::take(&mut self.owes_best_move) {
            let any = self.session.position().legal_moves().first().copied();
            self.session.output.line(&self.session.display.best_move(any, None));
        }
    }

    fn search(&mut self, request: &GoRequest, ticket: Ticket, received: Instant, reports: bool) {
        let session = &mut self.session;
        let (limits, error) = request.limits(session.position(), received);
        let limits = match session.refused() {
            Some(refused) => Err(refused.clone()),
            None => limits,
        };
        let limits = match limits {
            Ok(limits) => limits,
            Err(refusal) => {
                session.output.error(&refusal);
                session.output.line(&session.display.best_move(None, None));
                return;
            }
        };
        if let Some(error) = error.filter(|_| reports) {
            session.output.error(&error);
        }
        if session.debug() {
            let (fen, limits) = (session.position().to_fen(), go::described(&limits));
            session.output.note(&format!("searching {fen}: {limits}"));
        }
        self.owes_best_move = true;
        let output = session.output.clone();
        let control = session.engine.control();
        self.jobs.searches.begin_until(request.ends_at(), ticket, control, Control::arm);
        let curve = Curve::of(session.position());
        let mut printer = Printer::new(&output, session.display, curve);
        let latest = &self.jobs.latest;
        latest.set(None);
        let outcome = session.engine.search(&limits, &mut |report: &Report| match report {
            Report::Statistics(statistics) => latest.set(Some(statistics.as_ref().clone())),
            other => printer.report(other),
        });
        latest.set(outcome.statistics.clone());
        // Whoever has seen the best move may expect the next `isready` to wait its turn.
        self.jobs.searches.end(ticket);
        if session.debug() {
            let milliseconds = received.elapsed().as_millis();
            session.output.note(&format!("answered after {milliseconds} ms"));
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
            session.output.error(&CommandError::new(wrong, "the others found a move"));
        }
        printer.finish(&outcome);
        self.owes_best_move = false;
    }

    /// Carries out a command that takes long and is not a search.
    fn work(&mut self, command: &Command, ticket: Ticket) -> Result<(), CommandError> {
        match command {
            Command::Bench(request) => self.bench(*request, ticket),
            Command::SpeedTest(request) => self.speedtest(*request, ticket),
            Command::Openings(request) => {
                let stop = OpeningsStop::default();
                self.jobs.background.begin(ticket, stop.clone(), |_| ());
                openings::run(request, &stop, &self.session.output).map_err(CommandError::ignored)
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
        self.jobs.background.begin(ticket, Arc::clone(&watch), |_| ());
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

    fn quiescence_perft(&mut self, depth: u32, ticket: Ticket) -> Result<(), CommandError> {
        let session = &self.session;
        let mut inspector = inspection::inspector(session)?;
        self.jobs.background.begin(ticket, inspector.control(), |_| ());
        let answer = inspector.perft(depth).map(|found| {
            inspection::quiescence_perft(session.display, session.position(), depth, &found)
        });
        session.output.line(&answer.unwrap_or_else(|| String::from("info string qperft stopped")));
        Ok(())
    }

    fn trace(&mut self, request: &TraceRequest, ticket: Ticket) -> Result<(), CommandError> {
        let mut inspector = inspection::inspector(&self.session)?;
        self.jobs.background.begin(ticket, inspector.control(), |_| ());
        let answer = inspection::write_trace(&self.session, &mut inspector, request)?;
        self.session.output.line(&answer);
        Ok(())
    }

    fn bench(&mut self, request: BenchRequest, ticket: Ticket) -> Result<(), CommandError> {
        let network = self.session.engine.network();
        let bench = BenchRun::new(request, network).map_err(CommandError::ignored)?;
        self.jobs.background.begin(ticket, bench.stopper(), |_| ());
        bench.run(&self.session.output);
        Ok(())
    }

    fn speedtest(&mut self, request: SpeedRequest, ticket: Ticket) -> Result<(), CommandError> {
        let network = self.session.engine.network();
        let test = SpeedTest::new(request, network).map_err(CommandError::ignored)?;
        self.jobs.background.begin(ticket, test.stopper(), |_| ());
        test.run(&self.session.output);
        Ok(())
    }

    /// Carries out a command that is done at once.
    fn answer(&mut self, command: &Command) -> Result<(), CommandError> {
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
            Command::Stats(StatsRequest::Show(form)) => self.jobs.latest.describe(*form),
            Command::QuiescenceStats(form) => self.jobs.latest.describe_quiescence(*form),
            Command::QuiescenceSearch(plies) => inspection::quiescence(session, *plies)?,
            Command::QuiescenceValidate(request) => {
                inspection::validate(session, request.as_ref())?
            }
            other => return self.change(other),
        };
        session.output.line(&text);
        Ok(())
    }

    /// Carries out a command that changes something and says nothing.
    fn change(&mut self, command: &Command) -> Result<(), CommandError> {
        let session = &mut self.session;
        match command {
            Command::Debug(on) => session.set_debug(*on),
            Command::Stats(StatsRequest::Switch(on)) => session.set_statistics(*on),
            Command::QuiescenceDebug(detail) => session.quiescence_debug = *detail,
            Command::SetOption { name, value } => {
                return self.values.set(session, name, value.as_deref());
            }
            Command::NewGame => session.engine.new_game(),
            Command::Position(request) => {
                let played = request.resolve().inspect_err(|error| session.refuse(error))?;
                session.set_played(played);
            }
            Command::BadPosition(error) => {
                session.refuse(error);
                return Err(error.clone());
            }
            Command::Flip => {
                let flipped = session.position().color_flipped();
                session.set_played(Played::new(flipped));
            }
            Command::Hash(request) => return self.keep_hash(request),
            Command::Play(text) => return self.play(text),
            Command::SetUp(request) => {
                let played = request.resolve().inspect_err(|error| session.refuse(error))?;
                session.set_played(played);
                self.show_board();
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the table to a file or reads it from one, and says so.
    fn keep_hash(&mut self, request: &HashRequest) -> Result<(), CommandError> {
        let engine = &mut self.session.engine;
        if let HashRequest::Load(file) = request {
            files::check_regular(Path::new(file)).map_err(|error| {
                CommandError::new(format!("hash {} not loaded: {error}", quote(file)), "table kept")
            })?;
        }
        let (file, done, verb) = match request {
            HashRequest::Save(file) => (file, engine.save_hash(Path::new(file)), "saved"),
            HashRequest::Load(file) => (file, engine.load_hash(Path::new(file)), "loaded"),
        };
        done.map_err(|error| {
            let reason = match error {
                HashFileError::File(error) => files::reason(&error),
                other => other.to_string(),
            };
            CommandError::new(format!("hash {} not {verb}: {reason}", quote(file)), "table kept")
        })?;
        let note = format!("hash {verb}, {} MiB", engine.hash());
        self.session.output.note(&note);
        Ok(())
    }

    /// Plays moves that were typed without a command, all or none, and shows the board.
    fn play(&mut self, text: &str) -> Result<(), CommandError> {
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
