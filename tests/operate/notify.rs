//! What the server tells the service manager.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use crate::Server;

/// Waits for a state, past others.
fn wait_for(socket: &UnixDatagram, state: &str) {
    let mut buffer = [0; 256];
    for _ in 0..100 {
        let length = socket.recv(&mut buffer).unwrap();
        if buffer[..length] == *state.as_bytes() {
            return;
        }
    }
    panic!("{state} was not said");
}

#[test]
fn server_notifies_service_manager_of_its_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let mut server = Server::start(folder.path(), |command| {
        command
            .env("NOTIFY_SOCKET", &path)
            .env("WATCHDOG_USEC", "200000");
    });
    wait_for(&socket, "READY=1");
    wait_for(&socket, "WATCHDOG=1");
    wait_for(&socket, "WATCHDOG=1");
    let id = server.0.id().to_string();
    let told = std::process::Command::new("kill")
        .arg(&id)
        .status()
        .unwrap();
    assert!(told.success());
    wait_for(&socket, "STOPPING=1");
    assert!(server.0.wait().unwrap().success());
}
