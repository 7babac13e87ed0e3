//! The systems that releases are made for, and how their programs run on this one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::shell::{self, command, target};

/// A system that others have.
pub(crate) struct Platform {
    /// As its archive is called.
    pub(crate) name: &'static str,
    /// As rustup calls it.
    pub(crate) triple: &'static str,
    /// As Debian calls it, if it is one of theirs.
    pub(crate) debian: Option<&'static str>,
    /// Flags of the compiler: oldest processor, linker, nothing that changes from build to build.
    pub(crate) flags: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Static, linked with what rustup installs.
    Linux { arch: &'static str },
    /// Linked by mingw-w64.
    Windows,
}

/// Static programs for Linux, and one for Windows. What processors newer than the oldest can do is
/// found out when the program starts.
pub(crate) const PLATFORMS: [Platform; 3] = [
    Platform {
        name: "linux-x86_64",
        triple: "x86_64-unknown-linux-musl",
        debian: Some("amd64"),
        flags: "-C target-cpu=x86-64-v2 -C linker=rust-lld -C strip=symbols",
        kind: Kind::Linux { arch: "x86_64" },
    },
    Platform {
        name: "linux-aarch64",
        triple: "aarch64-unknown-linux-musl",
        debian: Some("arm64"),
        flags: "-C target-cpu=generic -C linker=rust-lld -C strip=symbols",
        kind: Kind::Linux { arch: "aarch64" },
    },
    Platform {
        name: "windows-x86_64",
        triple: "x86_64-pc-windows-gnu",
        debian: None,
        flags: "-C target-cpu=x86-64-v2 -C target-feature=+crt-static -C strip=symbols \
                -C linker=x86_64-w64-mingw32-gcc -C link-arg=-Wl,--no-insert-timestamp",
        kind: Kind::Windows,
    },
];

/// Wine before 9 has no `bcryptprimitives.dll`, which Windows has since version 8 and Rust's standard
/// library asks for random numbers.
const RANDOM_NUMBERS: &str = "\
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
__declspec(dllexport) int __stdcall ProcessPrng(void *bytes, unsigned long long count) {
    return SystemFunction036(bytes, (unsigned long)count);
}
";

impl Platform {
    /// The platform with this name.
    pub(crate) fn named(name: &str) -> Result<&'static Self, Failure> {
        PLATFORMS.iter().find(|platform| platform.name == name).ok_or_else(|| {
            let names: Vec<&str> = PLATFORMS.iter().map(|platform| platform.name).collect();
            format!("no platform {name}; there are {}", names.join(", "))
        })
    }

    pub(crate) fn is_windows(&self) -> bool {
        self.kind == Kind::Windows
    }

    /// What the program is called there.
    pub(crate) fn program(&self) -> &'static str {
        if self.is_windows() { "halcyon.exe" } else { "halcyon" }
    }

    /// What has to be installed before its program can be built and run here, in one line. Rustup is
    /// asked for the target.
    pub(crate) fn missing(&self) -> Option<String> {
        has_target(self.triple);
        self.missing_here()
    }

    /// The same, but nothing is fetched.
    pub(crate) fn missing_here(&self) -> Option<String> {
        if !is_installed(self.triple) {
            return Some(format!("rustup target add {}", self.triple));
        }
        let needs: &[(&str, &str)] = match self.kind {
            Kind::Linux { .. } => &[("tar", "tar")],
            Kind::Windows => &[("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"), ("zip", "zip")],
        };
        for (program, package) in needs {
            if !shell::succeeds(command(program, &["--version"])) {
                return Some(format!("apt-get install {package}"));
            }
        }
        match self.kind {
            _ if self.is_native() || self.emulator().is_some() => None,
            Kind::Windows => Some(String::from("apt-get install wine64")),
            Kind::Linux { .. } => Some(String::from("apt-get install qemu-user")),
        }
    }

    pub(crate) fn is_native(&self) -> bool {
        match self.kind {
            Kind::Linux { arch } => cfg!(target_os = "linux") && arch == std::env::consts::ARCH,
            Kind::Windows => cfg!(windows),
        }
    }

    /// The program that runs its programs here.
    fn emulator(&self) -> Option<String> {
        let known: Vec<String> = match self.kind {
            Kind::Linux { arch } => vec![format!("qemu-{arch}"), format!("qemu-{arch}-static")],
            Kind::Windows => ["wine64", "/usr/lib/wine/wine64", "wine"].map(String::from).into(),
        };
        known.into_iter().find(|name| {
            let mut version = command(name, &["--version"]);
            self.set_up(&mut version);
            shell::succeeds(version)
        })
    }

    /// Wine has a folder of its own for what it takes for a disk, and says nothing of itself.
    fn set_up(&self, command: &mut Command) {
        if self.is_windows() && !self.is_native() {
            command.env("WINEPREFIX", wine_folder()).env("WINEDEBUG", "-all");
            command.env_remove("DISPLAY");
        }
    }

    /// What runs its programs, for cargo; nothing if this system does.
    pub(crate) fn runner(&self) -> String {
        self.emulator().filter(|_| !self.is_native()).unwrap_or_default()
    }

    /// A path of this system as its programs name it.
    pub(crate) fn path(&self, path: &Path) -> PathBuf {
        if !self.is_windows() || self.is_native() {
            return path.to_path_buf();
        }
        // Wine has the whole system as this disk.
        PathBuf::from(format!("Z:{}", path.display()).replace('/', "\\"))
    }

    /// A call of its program, wherever that runs.
    pub(crate) fn call(&self, program: &Path) -> Result<Command, Failure> {
        if self.is_native() {
            return Ok(Command::new(program));
        }
        let emulator = self.emulator().ok_or_else(|| self.missing().unwrap_or_default())?;
        if self.is_windows() {
            prepare_wine(&emulator)?;
        }
        let mut command = Command::new(emulator);
        command.arg(program);
        self.set_up(&mut command);
        Ok(command)
    }
}

/// Whether the standard library for a target is there, or rustup can get it.
pub(crate) fn has_target(triple: &str) -> bool {
    is_installed(triple)
        || shell::succeeds(command("rustup", &["target", "add", triple])) && is_installed(triple)
}

fn is_installed(triple: &str) -> bool {
    let print = ["--print", "target-libdir", "--target", triple];
    let folder = shell::text(command("rustc", &print)).unwrap_or_default();
    Path::new(folder.trim()).exists()
}

fn wine_folder() -> PathBuf {
    let folder = target().join("wine");
    // Wine takes no other path than one from the root.
    fs::create_dir_all(&folder).and_then(|()| folder.canonicalize()).unwrap_or(folder)
}

/// Gives an old Wine what it lacks; Windows itself has it.
fn prepare_wine(wine: &str) -> Result<(), Failure> {
    let library = wine_folder().join("drive_c/windows/system32/bcryptprimitives.dll");
    if library.exists() {
        return Ok(());
    }
    // The first start makes the folder.
    let mut first = command(wine, &["cmd", "/c", "ver"]);
    first.env("WINEPREFIX", wine_folder()).env("WINEDEBUG", "-all").env_remove("DISPLAY");
    shell::text(first)?;
    if library.exists() {
        return Ok(());
    }
    let source = wine_folder().join("random_numbers.c");
    fs::write(&source, RANDOM_NUMBERS).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compile = command("x86_64-w64-mingw32-gcc", &["-shared", "-o"]);
    compile.arg(&library).arg(&source).arg("-ladvapi32");
    shell::text(compile).map(|_| ())
}
