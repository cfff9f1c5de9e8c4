import type { IncomingMessage } from "node:http";

/** So many bytes within each such time at least. */
export interface BodyPace {
  readonly bytes: number;
  readonly withinMs: number;
}

/**
 * Says when the body of a request comes more slowly than a pace, however long it takes in all: a large model on a slow line may. While we
 * do not read what has come, nobody is slow but we.
 */
export function watchBody(
  request: IncomingMessage,
  { bytes, withinMs }: BodyPace,
  onSlow: () => void,
): void {
  const { socket, headers } = request;
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || "transfer-encoding" in headers;
  if (!hasBody) return;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const came = socket.bytesRead - before;
    before = socket.bytesRead;
    const isFull = request.readableLength >= request.readableHighWaterMark;
    if (request.complete) clearInterval(timer);
    else if (came < bytes && !isFull) {
      clearInterval(timer);
      onSlow();
    }
  }, withinMs).unref();
  request.once("close", () => clearInterval(timer));
}
