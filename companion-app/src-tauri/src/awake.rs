//! Keeps the screen on while the hall is shown. Owns the request to the Linux desktop; on any other system the page makes the request itself,
//! and this module does nothing.

#[cfg(target_os = "linux")]
pub(crate) use linux::Awake;

#[cfg(not(target_os = "linux"))]
pub(crate) use other::Awake;

#[cfg(target_os = "linux")]
mod linux {
    use tokio::sync::Mutex;
    use zbus::Connection;

    const SERVICE: &str = "org.freedesktop.ScreenSaver";
    const PATH: &str = "/org/freedesktop/ScreenSaver";

    /// The D-Bus connection. The desktop keeps the screen on as long as this connection is open.
    #[derive(Default)]
    pub(crate) struct Awake(Mutex<Option<Connection>>);

    impl Awake {
        /// Starts or stops keeping the screen on; returns false if the screen cannot be kept on.
        pub(crate) async fn keep(&self, on: bool) -> bool {
            let mut held = self.0.lock().await;
            if !on {
                *held = None;
                return true;
            }
            if held.is_none() {
                *held = inhibit().await.ok();
            }
            held.is_some()
        }
    }

    async fn inhibit() -> zbus::Result<Connection> {
        let session = Connection::session().await?;
        let who = ("Flagfall", "the hall is being watched");
        session
            .call_method(Some(SERVICE), PATH, Some(SERVICE), "Inhibit", &who)
            .await?;
        Ok(session)
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    #[derive(Default)]
    pub(crate) struct Awake;

    impl Awake {
        #[expect(clippy::unused_async, reason = "as on the other systems")]
        pub(crate) async fn keep(&self, _on: bool) -> bool {
            false
        }
    }
}
