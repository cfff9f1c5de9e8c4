import { flags, frame, frameTypes } from "./frames";

/** Identifiers of settings. @see RFC 9113 section 6.5.2 */
export const settings = { enablePush: 2, maxStreams: 3, initialWindow: 4, maxFrame: 5 } as const;

/** Says that the other side's settings are in force. */
export const settingsAck = frame(frameTypes.settings, flags.ack, 0, Buffer.alloc(0));

/** Our settings, each with its number (RFC 9113, section 6.5.2) and value. */
export function settingsFrame(entries: readonly (readonly [id: number, value: number])[]): Buffer {
  const bytes = Buffer.alloc(6 * entries.length);
  for (const [index, [id, value]] of entries.entries()) {
    bytes.writeUInt16BE(id, 6 * index);
    bytes.writeUInt32BE(value, 6 * index + 2);
  }
  return frame(frameTypes.settings, 0, 0, bytes);
}

/** Asks the other side for an answer, which comes after all that it sent before. */
export const ping = frame(frameTypes.ping, 0, 0, Buffer.alloc(8));

/** The answer to a ping: its own eight bytes. */
export const pingAck = (payload: Buffer): Buffer => frame(frameTypes.ping, flags.ack, 0, payload);

/** More bytes that may come: of one stream, or with 0 of all together. */
export const windowUpdate = (streamId: number, bytes: number): Buffer =>
  frame(frameTypes.windowUpdate, 0, streamId, word(bytes));

/** Ends one stream with an error code. */
export const rstStream = (streamId: number, code: number): Buffer =>
  frame(frameTypes.rstStream, 0, streamId, word(code));

/** Says that no streams after `lastStreamId` will be answered. */
export const goaway = (lastStreamId: number, code: number): Buffer =>
  frame(frameTypes.goaway, 0, 0, Buffer.concat([word(lastStreamId), word(code)]));

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
