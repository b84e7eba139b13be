//! A zip file with a single compressed entry, like those in which FIDE distributes its lists.

use std::io::{self, Read, Write as _};

use flate2::Compression;
use flate2::CrcWriter;
use flate2::write::DeflateEncoder;

pub fn zip_file(name: &str, mut content: impl Read) -> io::Result<Vec<u8>> {
    let encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let mut packed = CrcWriter::new(encoder);
    let size = length(io::copy(&mut content, &mut packed)?)?;
    packed.flush()?;
    let crc = packed.crc().sum().to_le_bytes();
    let packed = packed.into_inner().finish()?;
    let packed_size = length(packed.len() as u64)?;
    let name_size = u16::try_from(name.len()).map_err(io::Error::other)?;
    let common = [
        // Version 2.0, no flags, deflate, an arbitrary modification time and date.
        &[20, 0, 0, 0, 8, 0, 0, 0, 0x49, 0x5b][..],
        &crc,
        &packed_size,
        &size,
        &name_size.to_le_bytes(),
        &[0, 0],
    ]
    .concat();
    let local = [b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat();
    let central = [
        &b"PK\x01\x02\x14\x00"[..],
        &common,
        &[0; 14],
        name.as_bytes(),
    ]
    .concat();
    let end = [
        &b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00"[..],
        &length(central.len() as u64)?,
        &length(local.len() as u64)?,
        &[0, 0],
    ]
    .concat();
    Ok([local, central, end].concat())
}

fn length(bytes: u64) -> io::Result<[u8; 4]> {
    let bytes = u32::try_from(bytes).map_err(io::Error::other)?;
    Ok(bytes.to_le_bytes())
}
