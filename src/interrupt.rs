//! What happens when a signal ends the tool: its temporary directories go first.
//!
//! Everything else needs no care: files of a suite are written whole or not at all, and the processes that run tests end
//! with the tool.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Has the signals by which people and systems end programs leave nothing behind. Where that is not possible, they end the
/// tool as they always do, and the next run removes what is left.
pub(crate) fn leave_nothing_behind() {
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            clew_execute::native::remove_workspaces();
            // The process ends as if it had not been listening.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}
