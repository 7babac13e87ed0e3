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
/// A small analysis, many times over.
const COPIES: usize = 6;
const OPTIONS: [&str; 4] = ["--nodes", "500", "--hash", "1"];
const SHARDS: &str = "4";
/// Jobs that are not done by then never will be.
const PATIENCE: Duration = Duration::from_secs(240);

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
    let (games, whole) = (folder.join("games.pgn"), folder.join("whole.jsonl"));
    let mut program = PathBuf::new();
    steps.step("one run", || {
        program = find_program()?;
        let text = fs::read_to_string(root().join(GAMES)).map_err(|error| error.to_string())?;
        fs::write(&games, text.repeat(COPIES)).map_err(|error| error.to_string())?;
        let mut analyse = Command::new(&program);
        analyse.arg("analyse").arg(&games).args(OPTIONS).args(["--threads", "1", "--quiet"]);
        analyse.arg("--out").arg(&whole);
        shell::text(analyse).map(|_| ())
    })?;
    let script = |name: &str| {
        let mut script = command(&format!("docs/cluster/{name}"), &[]);
        script
            .env("HALCYON", &program)
            .arg(&games)
            .arg(SHARDS)
            .arg(folder.join(name))
            .args(OPTIONS);
        script
    };
    steps.step("GNU parallel", || {
        shell::text(script("parallel"))?;
        compare(&whole, &folder.join("parallel/all.jsonl"))
    })?;
    steps.step("Slurm", || {
        let cluster = Cluster::start(&folder.join("slurm"))?;
        let mut submit = script("submit");
        cluster.point(&mut submit);
        print!("{}", shell::text(submit)?);
        cluster.wait(&folder.join("submit"))?;
        compare(&whole, &folder.join("submit/all.jsonl"))
    })?;
    steps.summary();
    Ok(())
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

fn compare(one: &Path, other: &Path) -> Result<(), Failure> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let (whole, merged) = (read(one)?, read(other)?);
    if whole != merged {
        return Err(format!("{} and {} differ", one.display(), other.display()));
    }
    println!("{} bytes, the same as of one run", whole.len());
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

    /// Waits until no job is left, and says what the merge said.
    fn wait(&self, folder: &Path) -> Result<(), Failure> {
        self.wait_until("the jobs", || {
            let mut queue = command("squeue", &["-h"]);
            self.point(&mut queue);
            shell::text(queue).is_ok_and(|text| text.trim().is_empty())
        })?;
        let log = fs::read_to_string(folder.join("merge.log"));
        print!("{}", log.map_err(|error| format!("the merge has not run: {error}"))?);
        Ok(())
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
