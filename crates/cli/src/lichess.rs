//! The sub-command `lichess-engine`: this program as an external engine of Lichess's analysis board.
//!
//! It registers itself under a name, waits for requests at the broker and streams `info` lines while it
//! searches, as <https://lichess.org/api#tag/external-engine> describes it.

mod http;
mod work;

use std::io::{self, Write as _};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use batch::counted;
use batch::engines::open_tablebases;
use chess::Castling;
use clap::Args;
use engine::wdl::Curve;
use engine::{Control, Engine, Limits, Report, Tablebases};
use serde_json::{Value, json};

use crate::answers::NAME;
use crate::info::Display;
use crate::output::Output;
use http::{Answer, HttpError, Upload};
use work::{Job, Work};

/// Where the token comes from; arguments can be seen by others.
const TOKEN: &str = "LICHESS_API_TOKEN";
/// The longest pause after requests that failed, in seconds.
const LONGEST_PAUSE: u64 = 30;
/// Lines that Lichess shows.
const MAX_LINES: usize = 5;
/// Castling as it is written in Chess960, whatever the game.
const DISPLAY: Display = Display { castling: Castling::KingTakesRook, show_wdl: false };

/// How to serve Lichess's analysis board. The environment variable LICHESS_API_TOKEN has a token with
/// the scopes engine:read and engine:write.
#[derive(Args)]
pub struct LichessArgs {
    /// The name that the analysis board shows
    #[arg(long, default_value = NAME)]
    name: String,
    /// Threads that Lichess may ask for [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Transposition table in MiB that Lichess may ask for
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Folders with Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Remove the engine of this name from the account, and end
    #[arg(long)]
    remove: bool,
    /// Where engines are registered
    #[arg(long, value_name = "URL", default_value = "https://lichess.org")]
    lichess: String,
    /// Where requests come from
    #[arg(long, value_name = "URL", default_value = "https://engine.lichess.ovh")]
    broker: String,
}

/// Waits for requests until it is ended.
///
/// # Errors
/// If there is no token, or Lichess refuses it, or a folder cannot be read.
pub fn serve(args: &LichessArgs, output: &Output) -> Result<(), String> {
    let provider = Provider::new(args)?;
    if args.remove {
        let removed = provider.remove()?;
        output.line(&format!("{} removed", counted(removed as u64, "engine")));
        return Ok(());
    }
    let id = provider.register()?;
    output.line(&format!("{} is registered as {id}: choose it on the analysis board.", args.name));
    provider.run(output)
}

struct Provider<'a> {
    args: &'a LichessArgs,
    token: String,
    /// Known to the broker and to nobody else.
    secret: String,
    threads: usize,
    tablebases: Option<Arc<Tablebases>>,
}

/// A search, and how to end it.
struct Running {
    control: Control,
    thread: JoinHandle<Searcher>,
}

/// The engine with what it remembers of the last request.
#[derive(Default)]
struct Searcher {
    engine: Engine,
    session: Option<String>,
}

impl<'a> Provider<'a> {
    fn new(args: &'a LichessArgs) -> Result<Self, String> {
        let token = std::env::var(TOKEN).unwrap_or_default().trim().to_owned();
        if token.is_empty() || token.contains(char::is_control) {
            return Err(format!(
                "{TOKEN} has no token: make one with the scopes engine:read and engine:write at \
                 {}/account/oauth/token/create",
                args.lichess
            ));
        }
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
        let secret = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let tablebases = args.syzygy.as_deref().map(open_tablebases).transpose();
        let threads = args
            .threads
            .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
        let tablebases = tablebases.map_err(|error| error.to_string())?;
        Ok(Self { args, token, secret, threads, tablebases })
    }

    /// A request to Lichess itself, which must succeed.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let url = format!("{}/api/external-engine{path}", self.args.lichess);
        let answer = http::request(method, &url, Some(&self.token), body);
        match answer.map_err(|error| describe(&error))? {
            Answer { status: 200, body } => serde_json::from_str(&body)
                .map_err(|error| format!("{url} answers what cannot be read: {error}")),
            Answer { status: 401 | 403, .. } => Err(format!(
                "Lichess refuses the token in {TOKEN}; it needs the scopes engine:read and \
                 engine:write"
            )),
            Answer { status, body } => Err(format!("{url} answers {status}: {}", shortened(&body))),
        }
    }

    /// The identifiers of the engines that are registered under this name.
    fn registered(&self) -> Result<Vec<String>, String> {
        let engines = self.ask("GET", "", None)?;
        let named = |engine: &&Value| engine["name"] == self.args.name.as_str();
        let engines = engines.as_array().into_iter().flatten().filter(named);
        Ok(engines.filter_map(|engine| engine["id"].as_str().map(str::to_owned)).collect())
    }

    /// Registers the engine, or changes the registration of its name.
    fn register(&self) -> Result<String, String> {
        let registration = json!({
            "name": self.args.name,
            "maxThreads": self.threads,
            "maxHash": self.args.hash,
            "variants": ["chess"],
            "providerSecret": self.secret,
        });
        let engine = match self.registered()?.first() {
            Some(id) => self.ask("PUT", &format!("/{id}"), Some(&registration))?,
            None => self.ask("POST", "", Some(&registration))?,
        };
        let id = engine["id"].as_str().ok_or("Lichess does not say how the engine is called")?;
        Ok(id.to_owned())
    }

    fn remove(&self) -> Result<usize, String> {
        let registered = self.registered()?;
        for id in &registered {
            self.ask("DELETE", &format!("/{id}"), None)?;
        }
        Ok(registered.len())
    }

    /// Takes requests one after the other; a new one ends the search for the one before.
    fn run(&self, output: &Output) -> ! {
        let (mut running, mut pause) = (None, 1);
        loop {
            match self.acquire() {
                Ok(Some(job)) => {
                    running = Some(self.begin(running, job, output));
                    pause = 1;
                }
                Ok(None) => pause = 1,
                Err(problem) => {
                    warn(&problem);
                    thread::sleep(Duration::from_secs(pause));
                    pause = (2 * pause).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Waits for a request; none if there is none for a while.
    fn acquire(&self) -> Result<Option<Job>, String> {
        let url = format!("{}/api/external-engine/work", self.args.broker);
        let secret = json!({ "providerSecret": self.secret });
        match http::request("POST", &url, None, Some(&secret)) {
            Ok(Answer { status: 200, body }) => {
                let job: Result<Job, _> = serde_json::from_str(&body);
                let job = job.map_err(|error| format!("a request that cannot be read: {error}"))?;
                if job.has_plain_id() {
                    Ok(Some(job))
                } else {
                    Err("a request without name".into())
                }
            }
            Ok(Answer { status: 204, .. }) | Err(HttpError::TimedOut) => Ok(None),
            Ok(Answer { status, body }) => {
                Err(format!("{url} answers {status}: {}", shortened(&body)))
            }
            Err(error) => Err(describe(&error)),
        }
    }

    fn begin(&self, before: Option<Running>, job: Job, output: &Output) -> Running {
        let ended = before.map(|before| {
            before.control.stop();
            before.thread.join()
        });
        // After a failure in the engine a new one goes on.
        let mut searcher = match ended {
            Some(Ok(searcher)) => searcher,
            Some(Err(_)) | None => Searcher::default(),
        };
        let control = searcher.engine.control();
        control.arm();
        let url = format!("{}/api/external-engine/work/{}", self.args.broker, job.id);
        let bounds = (self.threads, usize::try_from(self.args.hash).unwrap_or(1));
        let (tablebases, output) = (self.tablebases.clone(), output.clone());
        let thread = thread::spawn(move || {
            searcher.engine.set_tablebases(tablebases);
            match searcher.answer(&job.work, &url, bounds) {
                Ok(summary) => output.line(&format!("{}: {summary}", job.id)),
                Err(problem) => warn(&format!("{}: {problem}", job.id)),
            }
            searcher
        });
        Running { control, thread }
    }
}

impl Searcher {
    /// Searches, and sends every line on its way; in the end says what was done.
    fn answer(&mut self, work: &Work, url: &str, bounds: (usize, usize)) -> Result<String, String> {
        let mut upload = Upload::begin(url).map_err(|error| describe(&error))?;
        let prepared = self.set_up(work, bounds);
        let limits = match prepared {
            Ok(limits) => limits,
            Err(problem) => {
                // An empty answer keeps nobody waiting.
                upload.finish();
                return Err(problem);
            }
        };
        let curve = Curve::of(self.engine.game().position());
        let (control, mut wanted) = (self.engine.control(), true);
        let mut first = None;
        let outcome = self.engine.search(&limits, &mut |report: &Report| {
            let text = match (report, &first) {
                (Report::Line(line, progress), _) => {
                    if line.multipv == 1 {
                        first = Some(line.clone());
                    }
                    DISPLAY.info(line, progress, curve)
                }
                // Between two lines the best one is sent again, with the nodes so far.
                (Report::Totals(progress), Some(line)) => DISPLAY.info(line, progress, curve),
                _ => return,
            };
            if wanted && !upload.line(&text) {
                // Whoever asked has left.
                wanted = false;
                control.stop();
            }
        });
        if outcome.lines.is_empty() {
            upload.line(&DISPLAY.game_over(&outcome, curve));
        }
        let taken = upload.finish();
        let (nodes, depth) = (outcome.progress.nodes, outcome.lines.first().map_or(0, |l| l.depth));
        let end = if taken { "answered" } else { "the request was withdrawn" };
        Ok(format!("depth {depth}, {nodes} nodes, {end}"))
    }

    fn set_up(&mut self, work: &Work, (threads, hash): (usize, usize)) -> Result<Limits, String> {
        let (game, limits) = (work.game()?, work.limits()?);
        if self.session.as_deref() != Some(&work.session_id) {
            self.engine.new_game();
            self.session = Some(work.session_id.clone());
        }
        let (threads, hash) = (work.threads.clamp(1, threads), work.hash.clamp(1, hash));
        if self.engine.threads() != threads {
            self.engine.set_threads(threads).map_err(|error| error.to_string())?;
        }
        if self.engine.hash() != hash {
            self.engine.set_hash(hash).map_err(|error| error.to_string())?;
        }
        self.engine.settings_mut().multipv = work.multi_pv.clamp(1, MAX_LINES);
        self.engine.set_game(game);
        Ok(limits)
    }
}

fn describe(error: &HttpError) -> String {
    match error {
        HttpError::TimedOut => String::from("no answer in time"),
        HttpError::Failed(reason) => reason.clone(),
    }
}

/// What a server says, on one line and without control characters.
fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(200).collect()
}

fn warn(problem: &str) {
    // If nobody reads standard error either, there is nobody to tell.
    let _ = writeln!(io::stderr(), "halcyon: {problem}");
}
