//! How a gateway carries Bluetooth LE over QUIC: frames on its first stream, values of a clock on each other one. Owns the framing
//! alone; what is in a value only the clock and the hub can tell.

use alloc::vec::Vec;

use crate::ble::MAX_VALUE;
use crate::frame::{Frame, FrameError, PREFIX};
use crate::wire::{Errand, GatewayFrame, RelayFrame, gateway_frame, relay_frame};

/// Clocks in one [`Look`](crate::wire::Look).
pub const MAX_HEARD: usize = 160;

/// Why bytes on a clock's stream are no value. The stream is closed, and with it the clock's link; no other notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a value of {0} bytes: 1 to {MAX_VALUE} are allowed")]
pub struct BadValue(pub usize);

impl Frame for GatewayFrame {
    fn bound(&self) -> usize {
        match &self.frame {
            Some(gateway_frame::Frame::Hello(_)) => 256,
            Some(gateway_frame::Frame::Look(_)) => 4096,
            None => 0,
        }
    }
}

impl Frame for RelayFrame {
    fn bound(&self) -> usize {
        match &self.frame {
            Some(relay_frame::Frame::Welcome(_)) => 256,
            Some(relay_frame::Frame::Wanted(_)) => 1024,
            None => 0,
        }
    }
}

impl Frame for Errand {
    fn bound(&self) -> usize {
        256
    }
}

/// A value with its length before it, as a clock's stream carries it.
///
/// # Errors
/// [`BadValue`].
pub fn prefixed(value: &[u8]) -> Result<Vec<u8>, BadValue> {
    let length = checked(value.len())?;
    // MAX_VALUE fits 16 bits.
    let mut bytes = (length as u16).to_be_bytes().to_vec();
    bytes.extend_from_slice(value);
    Ok(bytes)
}

/// Takes whole values off a stream that arrives in pieces.
#[derive(Debug, Default)]
pub struct ValueReader {
    buffer: Vec<u8>,
}

impl ValueReader {
    /// Appends what arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole value, or `None` until more arrives.
    ///
    /// # Errors
    /// [`BadValue`]; after it the stream has no meaning any more.
    #[expect(
        clippy::should_implement_trait,
        reason = "it may fail, and it goes on after None, so this is no iterator"
    )]
    pub fn next(&mut self) -> Result<Option<Vec<u8>>, BadValue> {
        let Some((prefix, rest)) = self.buffer.split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        let length = checked(usize::from(u16::from_be_bytes(*prefix)))?;
        let Some(value) = rest.get(..length).map(<[u8]>::to_vec) else {
            return Ok(None);
        };
        self.buffer.drain(..PREFIX + length);
        Ok(Some(value))
    }

    /// The first thing on a clock's stream, before any value; `None` until more arrives.
    ///
    /// # Errors
    /// As [`decode`](crate::frame::decode); after an error the stream has no meaning any more.
    pub fn errand(&mut self) -> Result<Option<Errand>, FrameError> {
        let first = self.next().map_err(|BadValue(got)| FrameError::TooLong {
            got,
            bound: MAX_VALUE,
        })?;
        first.map(|bytes| crate::frame::decode(&bytes)).transpose()
    }
}

fn checked(length: usize) -> Result<usize, BadValue> {
    if (1..=MAX_VALUE).contains(&length) {
        Ok(length)
    } else {
        Err(BadValue(length))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::frame::{encode, encode_prefixed};
    use crate::wire::{GatewayHello, HeardClock, Look, Wanted};
    use proptest::prelude::*;

    #[test]
    fn an_errand_and_values_come_back_whole_however_the_stream_is_cut() {
        let errand = Errand {
            adapter: "hci0".into(),
            address: "AA:BB:CC:DD:EE:FF".into(),
            room: 182,
            pairing: 0,
        };
        let values: Vec<Vec<u8>> = (1..=MAX_VALUE).map(|length| vec![7; length]).collect();
        let mut stream = encode_prefixed(&errand).unwrap();
        for value in &values {
            stream.extend(prefixed(value).unwrap());
        }
        for piece in [1, 2, 511, stream.len()] {
            let mut reader = ValueReader::default();
            let (mut found, mut got) = (None, Vec::new());
            for bytes in stream.chunks(piece) {
                reader.push(bytes);
                if found.is_none() {
                    found = reader.errand().unwrap();
                }
                while let (Some(_), Some(value)) = (&found, reader.next().unwrap()) {
                    got.push(value);
                }
            }
            assert_eq!((found.as_ref(), &got), (Some(&errand), &values), "{piece}");
        }
    }

    #[test]
    fn a_value_that_no_attribute_holds_is_refused_before_it_is_read() {
        assert_eq!(prefixed(&[]), Err(BadValue(0)));
        assert_eq!(prefixed(&[0; 513]), Err(BadValue(513)));
        for (head, length) in [([0, 0], 0), ([2, 1], 513), ([0xff, 0xff], 65_535)] {
            let mut reader = ValueReader::default();
            reader.push(&head);
            assert_eq!(reader.next(), Err(BadValue(length)));
        }
    }

    #[test]
    fn the_largest_look_fits_its_bound() {
        let clock = HeardClock {
            tag: vec![0xff; 4],
            enrolled: true,
            battery_percent: Some(100),
            rssi: Some(-127),
        };
        let look = Look {
            adapter: "h".repeat(32),
            clocks: vec![clock; MAX_HEARD],
        };
        let frame = GatewayFrame {
            frame: Some(gateway_frame::Frame::Look(look)),
        };
        assert!(encode(&frame).is_ok());
        let wanted = Wanted {
            tags: vec![0xff; 4 * MAX_HEARD],
            pairing: u64::MAX,
        };
        let frame = RelayFrame {
            frame: Some(relay_frame::Frame::Wanted(wanted)),
        };
        assert!(encode(&frame).is_ok());
        let hello = GatewayHello {
            program: "x".repeat(300),
            ..GatewayHello::default()
        };
        let frame = GatewayFrame {
            frame: Some(gateway_frame::Frame::Hello(hello)),
        };
        assert!(encode(&frame).is_err());
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_give_values_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            let mut reader = ValueReader::default();
            reader.push(&bytes);
            // An errand, or none: whatever comes of it, nothing panics and no value is too long.
            let _ = reader.errand();
            while let Ok(Some(value)) = reader.next() {
                prop_assert!((1..=MAX_VALUE).contains(&value.len()));
            }
        }
    }
}
