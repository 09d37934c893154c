//! What pointers point to: the only place where one is followed.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr;

use crate::fault::Fault;

/// A pointer that a caller gave, and what the header calls it. A null one is refused wherever it is used, but for [`Given::perhaps`].
#[derive(Clone, Copy)]
pub(super) struct Given<P> {
    name: &'static str,
    pointer: P,
}

/// The argument of this name.
macro_rules! given {
    ($pointer:ident) => {
        // SAFETY: nothing of it outlives the function, and for the rest the caller vouches (see the head of `ffi`).
        unsafe { $crate::ffi::given::Given::new(stringify!($pointer), $pointer) }
    };
}
pub(super) use given;

/// A pointer to what is read, or to what is written.
pub(super) trait Pointer: Copy {
    /// What is wrong with it, if it is to be followed to so many values.
    fn complaint(self, count: usize) -> Option<String>;
    fn is_null(self) -> bool;
}

impl<T> Pointer for *const T {
    fn complaint(self, count: usize) -> Option<String> {
        if count > isize::MAX as usize / size_of::<T>().max(1) {
            return Some(format!("expected a count that memory can hold, found {count}"));
        }
        if count == 0 {
            return None;
        }
        if self.is_null() {
            return Some("expected a pointer, found null".to_owned());
        }
        (!self.is_aligned()).then(|| format!("expected an aligned pointer, found {self:p}"))
    }

    fn is_null(self) -> bool {
        self.is_null()
    }
}

impl<T> Pointer for *mut T {
    fn complaint(self, count: usize) -> Option<String> {
        self.cast_const().complaint(count)
    }

    fn is_null(self) -> bool {
        self.is_null()
    }
}

impl<P: Pointer> Given<P> {
    /// # Safety
    /// If the pointer is neither null nor misaligned, what the head of `ffi` says of it holds as long as anything is used that comes out of this.
    pub unsafe fn new(name: &'static str, pointer: P) -> Given<P> {
        Given { name, pointer }
    }

    fn check(self, count: usize) -> Result<P, Fault> {
        match self.pointer.complaint(count) {
            None => Ok(self.pointer),
            Some(complaint) => Err(self.wrong(complaint)),
        }
    }

    fn wrong(self, complaint: impl std::fmt::Display) -> Fault {
        Fault::argument(format!("{}: {complaint}", self.name))
    }

    /// What a use of it gives, or nothing where it is null.
    pub fn perhaps<R>(self, using: impl FnOnce(Given<P>) -> Result<R, Fault>) -> Result<Option<R>, Fault> {
        if self.pointer.is_null() { Ok(None) } else { using(self).map(Some) }
    }
}

impl<T> Given<*const T> {
    /// What it points to.
    pub fn get<'a>(self) -> Result<&'a T, Fault> {
        // SAFETY: it is neither null nor misaligned, and for the rest the caller vouches.
        Ok(unsafe { &*self.check(1)? })
    }

    /// So many of what it points to; it may be null if there are none.
    pub fn many<'a>(self, count: usize) -> Result<&'a [T], Fault> {
        let pointer = self.check(count)?;
        // SAFETY: it is neither null nor misaligned, not too long, and for the rest the caller vouches.
        Ok(if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(pointer, count) } })
    }
}

impl Given<*const c_char> {
    /// The text that it points to.
    pub fn text<'a>(self) -> Result<&'a str, Fault> {
        // SAFETY: it is not null, and the caller vouches for the closing 0.
        self.utf8(unsafe { CStr::from_ptr(self.check(1)?) }.to_bytes())
    }

    /// The path that it points to.
    pub fn path<'a>(self) -> Result<&'a Path, Fault> {
        let text = self.text()?;
        if text.is_empty() { Err(self.wrong("expected a path, found nothing")) } else { Ok(Path::new(text)) }
    }

    /// A text of so many bytes, without a closing 0.
    pub fn text_of<'a>(self, length: usize) -> Result<&'a str, Fault> {
        self.utf8(Given { name: self.name, pointer: self.pointer.cast::<u8>() }.many(length)?)
    }

    fn utf8(self, bytes: &[u8]) -> Result<&str, Fault> {
        std::str::from_utf8(bytes).map_err(|_| self.wrong("expected UTF-8, found bytes that are not"))
    }
}

impl<T> Given<*mut T> {
    /// So many places for answers; it may be null if there are none. What stands there is not read.
    pub fn places<'a>(self, count: usize) -> Result<&'a mut [MaybeUninit<T>], Fault> {
        let pointer = self.check(count)?.cast();
        // SAFETY: it is neither null nor misaligned, not too long, and for the rest the caller vouches.
        Ok(if count == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(pointer, count) } })
    }

    /// Writes the answer.
    pub fn write(self, answer: T) -> Result<(), Fault> {
        self.write_all([answer])
    }

    /// Writes as many answers as there are.
    pub fn write_all<const N: usize>(self, answers: [T; N]) -> Result<(), Fault> {
        for (place, answer) in self.places(N)?.iter_mut().zip(answers) {
            place.write(answer);
        }
        Ok(())
    }

    /// Room for a list, and a place for the number of its items.
    pub fn list(self, capacity: usize, count: Given<*mut usize>) -> Result<List<T>, Fault> {
        self.check(capacity)?;
        count.check(1)?;
        Ok(List { places: self, capacity, count })
    }
}

impl Given<*mut c_char> {
    /// Writes a text and its closing 0 where there is room for both, and, where it is asked for, its length without the 0.
    pub fn write_text(self, capacity: usize, length: Given<*mut usize>, text: &str) -> Result<(), Fault> {
        let places = self.places(capacity)?;
        length.perhaps(|length| length.write(text.len()))?;
        if text.len() >= places.len() {
            return Err(Fault::capacity("text", text.len() + 1, capacity));
        }
        for (place, byte) in places.iter_mut().zip(text.bytes().chain([0])) {
            place.write(byte as c_char);
        }
        Ok(())
    }
}

/// An answer of unknown length.
pub(super) struct List<T> {
    places: Given<*mut T>,
    capacity: usize,
    count: Given<*mut usize>,
}

impl<T> List<T> {
    /// Says how many items there will be, and refuses where there is no room for them.
    pub fn with_room_for(self, needed: usize) -> Result<List<T>, Fault> {
        self.count.write(needed)?;
        if needed > self.capacity { Err(Fault::capacity(self.places.name, needed, self.capacity)) } else { Ok(self) }
    }

    /// Writes the items, and how many there are.
    pub fn write(self, items: impl ExactSizeIterator<Item = T>) -> Result<(), Fault> {
        let list = self.with_room_for(items.len())?;
        for (place, item) in list.places.places(list.capacity)?.iter_mut().zip(items) {
            place.write(item);
        }
        Ok(())
    }
}

/// What C sees of a handle.
pub(super) trait Opaque: Sized {
    /// What stands behind it.
    type Inner;
    /// What it begins with, and no other memory is likely to.
    const SORT: [u8; 8];
    /// What people call it.
    const NAME: &str;
}

/// What stands behind a handle: first of all what sort it is.
#[repr(C, align(8))]
struct Handle<H: Opaque> {
    sort: [u8; 8],
    inner: H::Inner,
}

impl<H: Opaque> Given<*const H> {
    /// What stands behind a handle.
    pub fn inner<'a>(self) -> Result<&'a H::Inner, Fault> {
        let handle = Given { name: self.name, pointer: self.pointer.cast::<Handle<H>>() }.check(1)?;
        // SAFETY: it is neither null nor misaligned, and a handle of whatever sort begins with its sort.
        if unsafe { (&raw const (*handle).sort).read() } != H::SORT {
            return Err(self.wrong(format_args!("expected a handle of {}, found another", H::NAME)));
        }
        // SAFETY: it is a handle of this sort, which the caller has not freed.
        Ok(unsafe { &(*handle).inner })
    }
}

impl<H: Opaque> Given<*mut *mut H> {
    /// Makes a handle of what is opened; on an error there is none.
    pub fn open(self, opened: impl FnOnce() -> Result<H::Inner, Fault>) -> Result<(), Fault> {
        self.write(ptr::null_mut())?;
        self.write(Box::into_raw(Box::new(Handle::<H> { sort: H::SORT, inner: opened()? })).cast())
    }
}

impl<H: Opaque> Given<*mut H> {
    /// Frees a handle, if there is one.
    pub fn free(self) -> Result<(), Fault> {
        self.perhaps(|Given { name, pointer }| {
            // Refuses handles of another sort.
            Given { name, pointer: pointer.cast_const() }.inner()?;
            // SAFETY: it was made by `open`, and the caller has not freed it before.
            drop(unsafe { Box::from_raw(pointer.cast::<Handle<H>>()) });
            Ok(())
        })
        .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::{Endings, Model};

    #[test]
    fn a_handle_is_known_by_its_sort() {
        let mut handle: *mut Endings = ptr::null_mut();
        let place = &raw mut handle;
        given!(place).open(|| Ok(mahbusa_exact::Endings::new(mahbusa_exact::Cache::none()).into())).unwrap();
        let right = handle.cast_const();
        assert_eq!(std::sync::Arc::strong_count(given!(right).inner().unwrap()), 1);
        let wrong = right.cast::<Model>();
        assert!(
            given!(wrong)
                .inner()
                .is_err_and(|fault| fault.message == "wrong: expected a handle of mahbusa_model, found another")
        );
        let odd = right.wrapping_byte_add(1);
        assert!(given!(odd).inner().is_err_and(|fault| fault.message.starts_with("odd: expected an aligned pointer")));
        let nothing = ptr::null::<Endings>();
        assert!(
            given!(nothing).inner().is_err() && given!(nothing).perhaps(Given::inner).is_ok_and(|none| none.is_none())
        );
        given!(handle).free().unwrap();
    }
}
