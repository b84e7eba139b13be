// A video of a QR code, for Chromium's fake camera.

import { encodeQR } from "qr";

const [WIDTH, HEIGHT] = [640, 480];
const FRAMES = 5;
const [WHITE, BLACK, GREY] = [235, 16, 128];

/** Encodes an uncompressed video (YUV4MPEG2). The code is slightly rotated and off centre, as if held by hand. */
export function filmOf(text: string): Buffer {
  const square = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const size = 8;
  const [sine, cosine] = [Math.sin(0.12), Math.cos(0.12)];
  const luma = Buffer.alloc(WIDTH * HEIGHT, 150);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [dx, dy] = [x - WIDTH / 2 - 20, y - HEIGHT / 2 + 6];
      const column = Math.floor((dx * cosine + dy * sine) / size + square.length / 2);
      const row = Math.floor((dy * cosine - dx * sine) / size + square.length / 2);
      const dark = square[row]?.[column];
      if (dark !== undefined) luma[y * WIDTH + x] = dark ? BLACK : WHITE;
    }
  }
  const frame = Buffer.concat([Buffer.from("FRAME\n"), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420\n`), ...Array<Buffer>(FRAMES).fill(frame)]);
}
