//! The scripts of `docs/cluster` on a real Slurm: controller and node on this machine, in a folder and
//! on ports of their own.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::dist;
use crate::shell::{self, Steps, cargo, command, root, target};

const NEEDS: [(&str, &str); 4] = [
    ("/usr/sbin/munged", "munge"),
    ("/usr/sbin/slurmctld", "slurm-wlm"),
    ("/usr/sbin/slurmd", "slurm-wlm"),
    ("/usr/bin/parallel", "parallel"),
];
const GAMES: &str = "crates/batch/tests/data/games.pgn";
const POSITIONS: &str = "data/judge.epd.gz";
/// A small analysis, many times over.
const COPIES: usize = 6;
/// Positions of the suite: more than shards, and not a multiple of them.
const SUITE: usize = 30;
const OPTIONS: [&str; 4] = ["--nodes", "500", "--hash", "1"];
const SHARDS: &str = "4";
/// Jobs that are not done by then never will be.
const PATIENCE: Duration = Duration::from_secs(240);

/// What the scripts divide.
#[derive(Clone, Copy)]
struct Task {
    name: &'static str,
    /// Its input, in the test's folder.
    input: &'static str,
    /// What one run writes, and what the shards come to.
    output: &'static str,
}

const TASKS: [Task; 3] = [
    Task { name: "analyse", input: "games.pgn", output: "all.jsonl" },
    Task { name: "puzzles", input: "games.pgn", output: "all.jsonl" },
    Task { name: "suite", input: "positions.epd", output: "all.json" },
];

/// Runs the scripts with Slurm and with GNU parallel, and compares the results with those of one run.
pub(crate) fn run() -> Result<(), Failure> {
    for (program, package) in NEEDS {
        if !Path::new(program).exists() {
            println!("{program} is missing: installing {package}");
            install(package)?;
        }
    }
    let mut steps = Steps::default();
    let folder = fresh()?;
    let mut program = PathBuf::new();
    steps.step("one run", || {
        program = find_program()?;
        make_inputs(&folder)?;
        TASKS.iter().try_for_each(|task| run_alone(&program, &folder, task))
    })?;
    let script = |name: &str, task: &Task| {
        let mut script = command(&format!("docs/cluster/{name}"), &[]);
        script.env("HALCYON", &program).arg(task.name).arg(folder.join(task.input)).arg(SHARDS);
        script.arg(results(&folder, name, task)).args(OPTIONS);
        script
    };
    for task in &TASKS {
        steps.step(&format!("GNU parallel, {}", task.name), || {
            shell::text(script("parallel", task))?;
            compare(&folder, "parallel", task)
        })?;
    }
    steps.step("Slurm", || {
        let cluster = Cluster::start(&folder.join("slurm"))?;
        for task in &TASKS {
            let mut submit = script("submit", task);
            cluster.point(&mut submit);
            print!("{}", shell::text(submit)?);
        }
        cluster.wait()?;
        TASKS.iter().try_for_each(|task| compare(&folder, "submit", task))
    })?;
    steps.summary();
    Ok(())
}

/// Where a script leaves what it has made.
fn results(folder: &Path, script: &str, task: &Task) -> PathBuf {
    folder.join(format!("{script}-{}", task.name))
}

/// Games, and positions whose worth is known.
fn make_inputs(folder: &Path) -> Result<(), Failure> {
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    let games = fs::read_to_string(root().join(GAMES)).map_err(|error| error.to_string())?;
    write("games.pgn", &games.repeat(COPIES))?;
    let positions = shell::text(command("gzip", &["--decompress", "--stdout", POSITIONS]))?;
    let suite: Vec<&str> = positions.lines().take(SUITE).collect();
    write("positions.epd", &(suite.join("\n") + "\n"))
}

/// One run over everything, with the outputs that the scripts ask for.
fn run_alone(program: &Path, folder: &Path, task: &Task) -> Result<(), Failure> {
    let to = results(folder, "whole", task);
    fs::create_dir_all(&to).map_err(|error| error.to_string())?;
    let mut run = Command::new(program);
    run.arg(task.name).arg(folder.join(task.input)).args(OPTIONS).args(["--threads", "1"]);
    match task.name {
        "suite" => run.arg("--json"),
        _ => run.args(["--quiet", "--out"]),
    };
    run.arg(to.join(task.output));
    shell::text(run).map(|_| ())
}

/// The program of a release, as a cluster would have it, or that of the workspace.
fn find_program() -> Result<PathBuf, Failure> {
    let program = match dist::native_program() {
        Some(program) => program,
        None => {
            shell::run(cargo(&["build", "--package", "halcyon"]))?;
            target().join("debug/halcyon")
        }
    };
    program.canonicalize().map_err(|error| error.to_string())
}

fn install(package: &str) -> Result<(), Failure> {
    shell::run(command("apt-get", &["update", "-qq"]))?;
    shell::run(command("apt-get", &["install", "-y", "-qq", "--no-install-recommends", package]))
}

fn fresh() -> Result<PathBuf, Failure> {
    let folder = target().join("cluster");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    folder.canonicalize().map_err(|error| error.to_string())
}

fn compare(folder: &Path, script: &str, task: &Task) -> Result<(), Failure> {
    let read = |script: &str| {
        let path = results(folder, script, task).join(task.output);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        // Reports of suites have times, which are never the same.
        let is_time =
            |line: &&str| line.contains("\"milliseconds\"") || line.contains("\"seconds\"");
        Ok::<_, Failure>(match task.name {
            "suite" => text.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n"),
            _ => text,
        })
    };
    let (whole, merged) = (read("whole")?, read(script)?);
    if whole != merged {
        return Err(format!("{script} {}: not what one run gives", task.name));
    }
    println!("{script} {}: {} bytes, the same as of one run", task.name, whole.len());
    Ok(())
}

/// Three daemons, which end with it.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Self, Failure> {
        for inner in ["munge", "state", "spool"] {
            fs::create_dir_all(folder.join(inner)).map_err(|error| error.to_string())?;
        }
        let mut cluster = Self { folder: folder.to_path_buf(), daemons: Vec::new() };
        let host = shell::text(command("hostname", &["-s"]))?;
        let configuration = cluster.configuration(host.trim());
        fs::write(folder.join("slurm.conf"), configuration).map_err(|error| error.to_string())?;
        cluster.start_munge()?;
        for daemon in ["/usr/sbin/slurmctld", "/usr/sbin/slurmd"] {
            cluster.daemon(Command::new(daemon).arg("-D"))?;
        }
        cluster.await_node()?;
        Ok(cluster)
    }

    fn configuration(&self, host: &str) -> String {
        let folder = self.folder.display();
        let mut text = format!(
            "ClusterName=halcyon\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\n\
             AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={folder}/munge/socket\n\
             SlurmctldPort=26817\nSlurmdPort=26818\n"
        );
        for line in [
            "ProctrackType=proctrack/pgid",
            "TaskPlugin=task/none",
            "SchedulerType=sched/backfill",
            "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_CPU",
            "JobAcctGatherType=jobacct_gather/none",
            "MpiDefault=none",
            "ReturnToService=2",
        ] {
            let _ = writeln!(text, "{line}");
        }
        for (name, file) in [
            ("StateSaveLocation", "state"),
            ("SlurmdSpoolDir", "spool"),
            ("SlurmctldPidFile", "slurmctld.pid"),
            ("SlurmdPidFile", "slurmd.pid"),
            ("SlurmctldLogFile", "slurmctld.log"),
            ("SlurmdLogFile", "slurmd.log"),
        ] {
            let _ = writeln!(text, "{name}={folder}/{file}");
        }
        let _ = write!(
            text,
            "NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
        );
        text
    }

    /// Munge tells the daemons who asks. Its key is made for this run only.
    fn start_munge(&mut self) -> Result<(), Failure> {
        let folder = self.folder.join("munge");
        let key = folder.join("key");
        let random = fs::File::open("/dev/urandom").and_then(|file| {
            let mut bytes = [0_u8; 128];
            std::io::Read::read_exact(&mut &file, &mut bytes).map(|()| bytes)
        });
        let write = random.and_then(|bytes| fs::write(&key, bytes));
        let protect =
            write.and_then(|()| fs::set_permissions(&key, fs::Permissions::from_mode(0o600)));
        protect.map_err(|error| error.to_string())?;
        let mut munged = Command::new("/usr/sbin/munged");
        munged.args(["--foreground", "--force", "--num-threads=2"]);
        for (option, file) in [
            ("key-file", "key"),
            ("socket", "socket"),
            ("pid-file", "pid"),
            ("log-file", "log"),
            ("seed-file", "seed"),
        ] {
            munged.arg(format!("--{option}={}", folder.join(file).display()));
        }
        self.daemon(&mut munged)?;
        self.wait_until("munge", || folder.join("socket").exists())
    }

    fn daemon(&mut self, command: &mut Command) -> Result<(), Failure> {
        self.point(command);
        let log = fs::File::create(self.folder.join(format!("daemon-{}.log", self.daemons.len())));
        let log = log.map_err(|error| error.to_string())?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.daemons.push(command.spawn().map_err(|error| format!("{command:?}: {error}"))?);
        Ok(())
    }

    /// Lets a command speak with this cluster.
    fn point(&self, command: &mut Command) {
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
    }

    fn wait_until(&self, what: &str, mut done: impl FnMut() -> bool) -> Result<(), Failure> {
        let begun = Instant::now();
        while !done() {
            if begun.elapsed() > PATIENCE {
                return Err(format!(
                    "{what}: not ready; see the logs in {}",
                    self.folder.display()
                ));
            }
            thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let mut ask = command(program, arguments);
        self.point(&mut ask);
        shell::text(ask).unwrap_or_default()
    }

    fn await_node(&self) -> Result<(), Failure> {
        self.wait_until("the node", || self.ask("sinfo", &["-h", "-o", "%T"]).trim() == "idle")
    }

    /// Waits until no job is left.
    fn wait(&self) -> Result<(), Failure> {
        self.wait_until("the jobs", || {
            let mut queue = command("squeue", &["-h"]);
            self.point(&mut queue);
            shell::text(queue).is_ok_and(|text| text.trim().is_empty())
        })
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // In the other order: the node may still talk to the controller.
        for daemon in self.daemons.iter_mut().rev() {
            let _ = shell::text(command("kill", &["-TERM", &daemon.id().to_string()]));
            let _ = daemon.wait();
        }
    }
}
