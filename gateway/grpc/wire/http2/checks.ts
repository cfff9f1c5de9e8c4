import { errorCodes, protocol, StreamError } from "./errors";
import type { FrameHead } from "./frames";

/** @throws {ConnectionError} */
export function checkConnectionFrame({ streamId }: FrameHead): void {
  if (streamId !== 0) throw protocol("a frame of the connection names a stream");
}

/** @throws {ConnectionError | StreamError} */
export function checkPriority({ streamId, length }: FrameHead, payload: Buffer): void {
  if (streamId === 0) throw protocol("a priority of no stream");
  if (length !== 5) throw new StreamError(streamId, errorCodes.frameSize, "a priority is 5 bytes");
  checkDependency(streamId, payload);
}

/** @throws {StreamError} for a stream that depends on itself, which nobody else looks at. */
export function checkDependency(streamId: number, payload: Buffer): void {
  if ((payload.readUInt32BE(0) & 0x7fff_ffff) === streamId) {
    throw new StreamError(streamId, errorCodes.protocol, "a stream depends on itself");
  }
}
