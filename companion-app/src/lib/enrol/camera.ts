// Reading a code with the camera, where the browser can. Owns the camera from the first picture to the last; reads nothing else.

/** What browsers that read codes have; TypeScript's library does not know it yet. */
interface CodeReader {
  detect(picture: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type CodeReaderType = new (options: { formats: string[] }) => CodeReader;

function readerType(): CodeReaderType | undefined {
  return (globalThis as { BarcodeDetector?: CodeReaderType }).BarcodeDetector;
}

/** Whether codes can be scanned here: the browser reads them, and lets a page have the camera. */
export function canScan(): boolean {
  return readerType() !== undefined && "mediaDevices" in navigator;
}

const LOOK_MS = 150;

/** Shows the camera in `video` until `wanted` likes what it reads. Throws what the browser says if it may not or cannot. */
export async function scan(video: HTMLVideoElement, wanted: (text: string) => boolean, signal: AbortSignal): Promise<void> {
  const Reader = readerType();
  if (!Reader) throw new Error("this browser reads no codes");
  const pictures = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
  try {
    video.srcObject = pictures;
    await video.play();
    const reader = new Reader({ formats: ["qr_code"] });
    while (!signal.aborted) {
      // A picture that cannot be read is followed by the next one.
      const codes = await reader.detect(video).catch(() => []);
      if (codes.some((code) => wanted(code.rawValue))) return;
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
  } finally {
    for (const track of pictures.getTracks()) track.stop();
    video.srcObject = null;
  }
}
