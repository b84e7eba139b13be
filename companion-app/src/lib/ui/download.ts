import type { ExportReply } from "$gen/api/tournament_pb.js";

export function download({ content, fileName, mediaType }: Pick<ExportReply, "content" | "fileName" | "mediaType">): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new Uint8Array(content)], { type: mediaType }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
