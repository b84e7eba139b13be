// The screen of a virtual display as a PNG. WebKitGTK's driver cannot take screenshots there. Xvfb keeps its screen in a file (-fbdir) in the
// format of an X window dump: a header of big-endian numbers, a colour table, and rows of four bytes per pixel.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The size of an entry in the colour table, in bytes. */
const COLOUR_BYTES = 12;
/** Positions in the header, in words of four bytes. */
const HEAD = { size: 0, width: 4, height: 5, bitsPerPoint: 11, rowBytes: 12, colours: 19 };

/** @param folder the value of Xvfb's -fbdir */
export function picture(folder) {
  const dump = readFileSync(join(folder, "Xvfb_screen0"));
  const number = (at) => dump.readUInt32BE(at * 4);
  const [width, height, rowBytes] = [number(HEAD.width), number(HEAD.height), number(HEAD.rowBytes)];
  if (number(HEAD.bitsPerPoint) !== 32) throw new Error("the display has not 24 bits of colour");
  const points = number(HEAD.size) + number(HEAD.colours) * COLOUR_BYTES;
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = points + y * rowBytes + x * 4;
      const to = y * (1 + width * 3) + 1 + x * 3;
      // The order is blue, green, red in the dump, and red, green, blue in a PNG.
      for (let part = 0; part < 3; part += 1) rows[to + part] = dump[from + 2 - part];
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([SIGNATURE, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
