//! Keeps the screen on while an arbiter looks at the hall. Owns the request to the desktop; where a page can ask for itself (Windows,
//! macOS, iOS) it does, and this does nothing.

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

    /// The desktop holds its screen saver back for as long as this connection lives.
    #[derive(Default)]
    pub(crate) struct Awake(Mutex<Option<Connection>>);

    impl Awake {
        /// Keeps the screen on, or no longer; whether the desktop has agreed.
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
    /// The page asks for itself.
    #[derive(Default)]
    pub(crate) struct Awake;

    impl Awake {
        /// Leaves it to the page.
        #[expect(clippy::unused_async, reason = "as on the other systems")]
        pub(crate) async fn keep(&self, _on: bool) -> bool {
            false
        }
    }
}
