//! How a call ends, and the memory that it works with.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use mahbusa_rules::shortened;

use crate::fault::Fault;
use crate::model::Desk;
use crate::types::{MAHBUSA_OK, Status};

/// Characters of a message. Some hold a path or a word of a file, which may be of any length.
const LONGEST: usize = 1000;

thread_local! {
    /// The message of the last error of this thread.
    static MESSAGE: RefCell<CString> = RefCell::default();
    /// The memory of this thread.
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Runs the body of a function; nothing that happens there gets out but a code.
pub fn guarded(body: impl FnOnce() -> Result<(), Fault>) -> Status {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(fault(panic.as_ref())));
    let Err(Fault { status, message }) = result else { return MAHBUSA_OK };
    // A thread that is ending has no message any more.
    let _ = MESSAGE.try_with(|slot| {
        let text = CString::new(shortened(&message, LONGEST).replace('\0', "?")).unwrap_or_default();
        slot.replace(text);
    });
    status
}

fn fault(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default();
    Fault::internal(format!("a fault of the library: {text}"))
}

/// The message of the last error of this thread, valid until the next one.
pub fn last_message() -> *const c_char {
    MESSAGE.try_with(|message| message.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Runs something with the memory of this thread.
pub fn with_desk<R>(work: impl FnOnce(&mut Desk) -> Result<R, Fault>) -> Result<R, Fault> {
    DESK.try_with(|desk| work(&mut desk.borrow_mut())).map_err(|_| Fault::internal("this thread is ending"))?
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;
    use crate::types::MAHBUSA_ERROR_INTERNAL;

    #[test]
    fn a_message_is_never_longer_than_people_read() {
        guarded(|| Err(Fault::argument("9".repeat(1_000_000))));
        // SAFETY: it is a text that ends with a 0, until the next error.
        let message = unsafe { CStr::from_ptr(last_message()) };
        assert_eq!(message.to_bytes().len(), LONGEST + "...".len());
    }

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guarded(|| panic!("on {}", "purpose")), MAHBUSA_ERROR_INTERNAL);
        // SAFETY: it is a text that ends with a 0, until the next error.
        let message = unsafe { CStr::from_ptr(last_message()) };
        assert_eq!(message.to_str(), Ok("a fault of the library: on purpose"));
    }
}
