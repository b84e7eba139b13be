//! Bluetooth LE over QUIC, through a gateway: control frames on the first stream, and one clock's values on every other stream. Owns only the
//! framing: only the clock and the hub can decrypt the values.

use alloc::vec::Vec;

use crate::ble::MAX_VALUE;
use crate::frame::{Frame, FrameError, PREFIX};
use crate::wire::{ClockStreamHello, GatewayFrame, RelayFrame, gateway_frame, relay_frame};

/// Maximum number of clocks in one [`RadioScan`](crate::wire::RadioScan).
pub const MAX_HEARD: usize = 160;

/// The error for a value on a clock's stream that is empty or too long. The field is the value's length in bytes. The stream and the clock's link are
/// closed; other links are not affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a value of {0} bytes: 1 to {MAX_VALUE} are allowed")]
pub struct BadValue(pub usize);

impl Frame for GatewayFrame {
    fn max_size(&self) -> usize {
        match &self.frame {
            Some(gateway_frame::Frame::Hello(_)) => 256,
            Some(gateway_frame::Frame::RadioScan(_)) => 4096,
            None => 0,
        }
    }
}

impl Frame for RelayFrame {
    fn max_size(&self) -> usize {
        match &self.frame {
            Some(relay_frame::Frame::Welcome(_)) => 256,
            Some(relay_frame::Frame::ConnectTargets(_)) => 1024,
            None => 0,
        }
    }
}

impl Frame for ClockStreamHello {
    fn max_size(&self) -> usize {
        256
    }
}

/// Prefixes a value with its length, for a clock's stream.
///
/// # Errors
/// Returns [`BadValue`] if the value is empty or too long.
pub fn prefixed(value: &[u8]) -> Result<Vec<u8>, BadValue> {
    let length = checked(value.len())?;
    // The cast loses nothing, because MAX_VALUE fits into 16 bits.
    let mut bytes = (length as u16).to_be_bytes().to_vec();
    bytes.extend_from_slice(value);
    Ok(bytes)
}

/// A buffer that extracts complete values from a byte stream.
#[derive(Debug, Default)]
pub struct ValueReader {
    buffer: Vec<u8>,
}

impl ValueReader {
    /// Appends received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next complete value, or `None` until more bytes arrive.
    ///
    /// # Errors
    /// Returns [`BadValue`] if a value is empty or too long. The rest of the stream is then meaningless.
    #[expect(
        clippy::should_implement_trait,
        reason = "it can fail, and it continues after None, so this is not an iterator"
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

    /// Returns the frame that precedes all values on a clock's stream, or `None` until more bytes arrive.
    ///
    /// # Errors
    /// Returns [`FrameError::TooLong`] if the frame is empty or longer than [`MAX_VALUE`], or an error of [`decode`](crate::frame::decode). After an
    /// error, the rest of the stream is meaningless.
    pub fn hello(&mut self) -> Result<Option<ClockStreamHello>, FrameError> {
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
    use crate::wire::{ConnectTargets, GatewayHello, HeardClock, RadioScan};
    use proptest::prelude::*;

    #[test]
    fn hello_and_values_survive_any_split_of_the_stream() {
        let hello = ClockStreamHello {
            adapter: "hci0".into(),
            address: "AA:BB:CC:DD:EE:FF".into(),
            room: 182,
            pairing: 0,
        };
        let values: Vec<Vec<u8>> = (1..=MAX_VALUE).map(|length| vec![7; length]).collect();
        let mut stream = encode_prefixed(&hello).unwrap();
        for value in &values {
            stream.extend(prefixed(value).unwrap());
        }
        for piece in [1, 2, 511, stream.len()] {
            let mut reader = ValueReader::default();
            let (mut found, mut got) = (None, Vec::new());
            for bytes in stream.chunks(piece) {
                reader.push(bytes);
                if found.is_none() {
                    found = reader.hello().unwrap();
                }
                while let (Some(_), Some(value)) = (&found, reader.next().unwrap()) {
                    got.push(value);
                }
            }
            assert_eq!((found.as_ref(), &got), (Some(&hello), &values), "{piece}");
        }
    }

    #[test]
    fn a_long_value_is_refused_before_it_is_read() {
        assert_eq!(prefixed(&[]), Err(BadValue(0)));
        assert_eq!(prefixed(&[0; 513]), Err(BadValue(513)));
        for (head, length) in [([0, 0], 0), ([2, 1], 513), ([0xff, 0xff], 65_535)] {
            let mut reader = ValueReader::default();
            reader.push(&head);
            assert_eq!(reader.next(), Err(BadValue(length)));
        }
    }

    #[test]
    fn the_largest_scan_fits_its_bound() {
        let clock = HeardClock {
            tag: vec![0xff; 4],
            enrolled: true,
            battery_percent: Some(100),
            rssi: Some(-127),
        };
        let scan = RadioScan {
            adapter: "h".repeat(32),
            clocks: vec![clock; MAX_HEARD],
        };
        let frame = GatewayFrame {
            frame: Some(gateway_frame::Frame::RadioScan(scan)),
        };
        assert!(encode(&frame).is_ok());
        let targets = ConnectTargets {
            tags: vec![0xff; 4 * MAX_HEARD],
            pairing: u64::MAX,
        };
        let frame = RelayFrame {
            frame: Some(relay_frame::Frame::ConnectTargets(targets)),
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
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            let mut reader = ValueReader::default();
            reader.push(&bytes);
            let _ = reader.hello();
            while let Ok(Some(value)) = reader.next() {
                prop_assert!((1..=MAX_VALUE).contains(&value.len()));
            }
        }
    }
}
