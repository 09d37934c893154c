//! The library itself.

use std::ffi::c_char;

use super::call::last_message;
use crate::types::MAHBUSA_ABI;

/// The version of the library, such as "0.1.0"; never to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn mahbusa_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The `MAHBUSA_ABI` that the library was built with. If it is not that of your header, do not call anything else.
#[unsafe(no_mangle)]
pub extern "C" fn mahbusa_abi() -> u32 {
    MAHBUSA_ABI
}

/// What went wrong in the last call on this thread that returned an error, as a sentence in English: what, where, what was expected. Empty if none did.
///
/// It is the library's, and is valid until the next call on this thread that returns an error: copy it if you keep it.
#[unsafe(no_mangle)]
pub extern "C" fn mahbusa_last_error() -> *const c_char {
    last_message()
}
