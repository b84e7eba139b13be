//! The resources that a process uses, as the kernel counts them.
//!
//! Linux only: reads `/proc`. Must not judge the figures; the limits belong to the callers.

use anyhow::Context as _;

#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// CPU time since the process started, user and kernel, in microseconds.
    pub cpu_us: i64,
    /// Current resident memory, in bytes.
    pub resident_bytes: u64,
    pub peak_bytes: u64,
    /// Resident pages of mapped files, in bytes. They hold the program and its libraries; the kernel may drop and reread them.
    pub mapped_bytes: u64,
}

impl Usage {
    pub fn of(pid: i32) -> anyhow::Result<Self> {
        // `USER_HZ` is 100 on Linux: the CPU times in `/proc` are in hundredths of a second.
        const TICK_US: i64 = 10_000;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
        // The program's name is in parentheses and may contain spaces and parentheses, so the fields are counted after it.
        let (_, fields) = stat.rsplit_once(") ").context("/proc/…/stat")?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let ticks = |index: usize| -> anyhow::Result<i64> {
            Ok(fields.get(index).context("/proc/…/stat")?.parse()?)
        };
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let bytes = |name: &str| -> anyhow::Result<u64> {
            let mut lines = status.lines().filter_map(|line| line.split_once(':'));
            let field = lines.find(|(field, _)| *field == name);
            let (_, value) = field.with_context(|| name.to_owned())?;
            let kb: u64 = value.trim().trim_end_matches(" kB").parse()?;
            Ok(kb * 1024)
        };
        Ok(Self {
            cpu_us: (ticks(11)? + ticks(12)?) * TICK_US,
            resident_bytes: bytes("VmRSS")?,
            peak_bytes: bytes("VmHWM")?,
            mapped_bytes: bytes("RssFile")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_cpu_and_memory() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let first = Usage::of(pid).unwrap();
        assert!(first.resident_bytes > 1 << 20);
        assert!(first.peak_bytes >= first.resident_bytes);
        assert!((1..first.resident_bytes).contains(&first.mapped_bytes));
        let mut sum = 0_u64;
        while Usage::of(pid).unwrap().cpu_us == first.cpu_us {
            sum = (0..100_000).fold(sum, u64::wrapping_add);
        }
        assert!(Usage::of(i32::MAX).is_err());
    }
}
