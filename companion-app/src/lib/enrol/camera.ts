// Reading a code with the camera. Owns the camera from the first picture to the last; reads nothing else.
//
// The page reads the pictures itself: few browsers have a reader of their own, and those of most tablets do not. Its reader comes when
// somebody scans, not with the hall.

/** Whether a page gets a camera here at all. */
export function canScan(): boolean {
  return "mediaDevices" in navigator;
}

const LOOK_MS = 100;
/** Pictures are read at this size at most: a code that is held into the picture is large. */
const LONGEST_PX = 960;

/** Shows the camera in `video` until `wanted` likes what it reads. Throws what the browser says if it may not or cannot. */
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
        // No code in this picture, or one that cannot be read: the next one follows.
      }
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
  } finally {
    for (const track of pictures.getTracks()) track.stop();
    video.srcObject = null;
  }
}

/** The picture that is seen now; null before the first. */
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
