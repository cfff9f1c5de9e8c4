/** Error codes of HTTP/2 that are used here. @see RFC 9113 section 7 */
export const errorCodes = {
  none: 0x0,
  protocol: 0x1,
  internal: 0x2,
  flowControl: 0x3,
  streamClosed: 0x5,
  frameSize: 0x6,
  refusedStream: 0x7,
  cancel: 0x8,
  compression: 0x9,
  enhanceYourCalm: 0xb,
} as const;

/** What ends a whole connection. */
export class ConnectionError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What ends one stream; the connection goes on. */
export class StreamError extends Error {
  readonly code: number;
  readonly streamId: number;

  constructor(streamId: number, code: number, message: string) {
    super(message);
    this.streamId = streamId;
    this.code = code;
  }
}

/** For a client that broke the rules of HTTP/2 (RFC 9113). */
export const protocol = (what: string) => new ConnectionError(errorCodes.protocol, what);
/** For a client that sent more than its window allows. */
export const flow = (what: string) => new ConnectionError(errorCodes.flowControl, what);
/** For a client whose frame has a size that its type cannot have. */
export const frameSize = (what: string) => new ConnectionError(errorCodes.frameSize, what);
/** For a client that asks too much of us. */
export const calm = (what: string) => new ConnectionError(errorCodes.enhanceYourCalm, what);
/** For a frame of a stream that is over. */
export const closedStream = (streamId: number) =>
  new StreamError(streamId, errorCodes.streamClosed, "the stream is closed");
