//! Notifies the service manager: ready, alive, stopping. The protocol is that of
//! sd_notify(3): lines in a datagram to the socket in `NOTIFY_SOCKET`.

use std::ffi::OsString;
use std::time::Duration;

pub const READY: &str = "READY=1";
pub const STOPPING: &str = "STOPPING=1";
const ALIVE: &str = "WATCHDOG=1";

/// Sends a state. Does nothing without a service manager; a failure to send is logged and is
/// not an error.
pub fn send(state: &str) {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    if let Err(cause) = send_to(&socket, state) {
        tracing::warn!(?socket, state, %cause, "cannot notify the service manager");
    }
}

/// Sends a watchdog signal twice per interval that the service manager requires, as long as the runtime
/// works; returns at once if it requires none.
pub async fn keep_alive() {
    let Some(interval) = watchdog_interval() else {
        return;
    };
    let mut ticks = tokio::time::interval(interval / 2);
    loop {
        ticks.tick().await;
        send(ALIVE);
    }
}

/// `WATCHDOG_USEC`, if it is meant for this process.
fn watchdog_interval() -> Option<Duration> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let is_ours = number("WATCHDOG_PID").is_none_or(|id| id == u64::from(std::process::id()));
    let micros = number("WATCHDOG_USEC").filter(|micros| is_ours && *micros > 1)?;
    Some(Duration::from_micros(micros))
}

#[cfg(unix)]
fn send_to(socket: &OsString, state: &str) -> std::io::Result<()> {
    use std::os::unix::net::UnixDatagram;
    let sender = UnixDatagram::unbound()?;
    #[cfg(target_os = "linux")]
    {
        use std::os::linux::net::SocketAddrExt;
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::net::SocketAddr;
        // A name that begins with `@` is an abstract socket.
        if let Some(name) = socket.as_bytes().strip_prefix(b"@") {
            sender.send_to_addr(state.as_bytes(), &SocketAddr::from_abstract_name(name)?)?;
            return Ok(());
        }
    }
    sender.send_to(state.as_bytes(), socket)?;
    Ok(())
}

#[cfg(not(unix))]
fn send_to(_socket: &OsString, _state: &str) -> std::io::Result<()> {
    Ok(())
}
