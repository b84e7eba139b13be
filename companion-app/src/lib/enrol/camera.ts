// Scans a code with the camera. Owns the camera from the first frame to the last.
//
// The page decodes the frames itself, because many browsers have no decoder. The decoder is loaded for the first scan.

export function canScan(): boolean {
  return "mediaDevices" in navigator;
}

const LOOK_MS = 100;
/** Larger frames are scaled down to this length of their longer side: a code held up to the camera is still readable. */
const LONGEST_PX = 960;

/** Shows the camera's picture in `video` until `wanted` accepts a text or `signal` aborts. Throws the browser's error if it cannot use a camera. */
export async function scan(video: HTMLVideoElement, wanted: (text: string) => boolean, signal: AbortSignal): Promise<void> {
  const [{ decodeQR }, pictures] = await Promise.all([
    import("qr/decode.js"),
    navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false }),
  ]);
  try {
    video.srcObject = pictures;
    await video.play();
    const picture = reader(video);
    while (!signal.aborted) {
      const image = picture();
      try {
        if (image && wanted(decodeQR(image))) return;
      } catch {
        // This frame has no readable code; the next one may.
      }
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
  } finally {
    for (const track of pictures.getTracks()) track.stop();
    video.srcObject = null;
  }
}

/** Returns a function that returns the current frame; null before the first frame. */
function reader(video: HTMLVideoElement): () => ImageData | null {
  const canvas = document.createElement("canvas");
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  return () => {
    const scale = Math.min(1, LONGEST_PX / Math.max(video.videoWidth, video.videoHeight, 1));
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
    if (!drawing || width === 0 || height === 0) return null;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    drawing.drawImage(video, 0, 0, width, height);
    return drawing.getImageData(0, 0, width, height);
  };
}
