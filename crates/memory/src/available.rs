//! How much memory a new allocation can hope for.

use std::fs;
use std::path::Path;

/// Bytes of memory that a new allocation can hope for, where the system tells: what is free on the
/// machine, or less in a container that may not use all of it.
#[must_use]
pub fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let container = of_groups(&groups, Path::new("/sys/fs/cgroup"));
    machine.into_iter().chain(container).min()
}

/// What `/proc/meminfo` says.
fn of_machine(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// What the control groups leave, of those in `/proc/self/cgroup` and all above them.
fn of_groups(text: &str, mount: &Path) -> Option<u64> {
    let lefts = text.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        // Version 2 has one group for everything; version 1 one for each controller.
        let (mount, names) = match controllers {
            "" => (mount.to_path_buf(), ["memory.max", "memory.current", "inactive_file"]),
            _ if controllers.split(',').any(|name| name == "memory") => (
                mount.join("memory"),
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"],
            ),
            _ => return Vec::new(),
        };
        let group = mount.join(path.trim_start_matches('/'));
        let folders = group.ancestors().take_while(|folder| folder.starts_with(&mount));
        folders.filter_map(|folder| of_group(folder, names)).collect()
    });
    lefts.min()
}

/// What one group leaves; nothing if it has no limit. Files that the system can forget do not count.
fn of_group(folder: &Path, [limit, usage, cache]: [&str; 3]) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok()
    };
    let (limit, usage) = (number(limit)?, number(usage)?);
    let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let cached = stat.lines().find_map(|line| {
        let (name, value) = line.split_once(' ')?;
        (name == cache).then(|| value.trim().parse::<u64>().ok())?
    });
    Some(limit.saturating_sub(usage.saturating_sub(cached.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_tells_kibibytes() {
        assert_eq!(of_machine("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(of_machine("MemTotal: 9 kB\n"), None);
        assert_eq!(of_machine("MemAvailable: x kB\n"), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "there are no files")]
    fn a_container_or_any_group_above_it_may_leave_less() {
        let mount = std::env::temp_dir().join(format!("halcyon-cgroup-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = mount.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("pod/memory.max", "1000\n");
        write("pod/memory.current", "400\n");
        write("pod/memory.stat", "anon 1\ninactive_file 150\n");
        write("pod/job/memory.max", "max\n");
        write("pod/job/memory.current", "10\n");
        assert_eq!(of_groups("0::/pod/job\n", &mount), Some(750));
        assert_eq!(of_groups("0::/\n", &mount), None);
        write("memory/slurm/memory.limit_in_bytes", "500\n");
        write("memory/slurm/memory.usage_in_bytes", "600\n");
        assert_eq!(of_groups("4:cpu:/x\n3:memory:/slurm\n", &mount), Some(0));
        assert_eq!(of_groups("nonsense\n\n:\n", &mount), None);
        fs::remove_dir_all(&mount).unwrap();
    }
}
