/** Types of HTTP/2 frames (RFC 9113, section 6). */
export const frames = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
} as const;

/** Flags of frames; ping and settings use bit 0 for "acknowledged". */
export const flags = { endStream: 1, acknowledged: 1, endHeaders: 4 } as const;

export const frameHeadBytes = 9;
/** Bytes that may be sent before any window update. */
export const initialWindow = 65_535;

/** Bytes of one frame, as long as nobody allows more. */
export const maxFrameBytes = 16_384;

const maxWindow = 2 ** 31 - 1;
const headerTableSize = 1;
const initialWindowSize = 4;

export function frame(type: number, flag: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** What a connection opens with: answers may be of any size, and their headers refer to nothing sent before. */
export function opening(): Buffer {
  const settings = Buffer.alloc(12);
  settings.writeUInt16BE(headerTableSize, 0);
  settings.writeUInt32BE(0, 2);
  settings.writeUInt16BE(initialWindowSize, 6);
  settings.writeUInt32BE(maxWindow, 8);
  return Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(frames.settings, 0, 0, settings),
    windowUpdate(maxWindow - initialWindow),
  ]);
}

/** Bytes before each message of gRPC. */
export const prefixBytes = 5;

/** A message as gRPC sends it: not compressed, its length before it. */
export function prefixed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Lets the other side send so many bytes more on the connection. */
export function windowUpdate(bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame(frames.windowUpdate, 0, 0, payload);
}

/**
 * The headers of a call (RFC 7541): the first of a connection says them, which puts them into the server's table; those
 * after it say where they are in it.
 */
export function callHeaders(path: string): { readonly first: Buffer; readonly later: Buffer } {
  const postAndHttp = [0x83, 0x86];
  const said = [
    [0x44, ...text(path)],
    [0x41, ...text("localhost")],
    [0x5f, ...text("application/grpc")],
    [0x40, ...text("te"), ...text("trailers")],
  ];
  // The last one said is at 62.
  const known = said.map((_, index) => 0x80 | (61 + said.length - index));
  return {
    first: Buffer.from([...postAndHttp, ...said.flat()]),
    later: Buffer.from([...postAndHttp, ...known]),
  };
}

const text = (value: string) => [value.length, ...Buffer.from(value)];

const grpcStatus = Buffer.from("grpc-status");
/** The same name in the Huffman code of RFC 7541, appendix B. */
const grpcStatusPacked = Buffer.from("9acac8b21234da8f", "hex");

/** Whether the headers of an answer, which refer to nothing sent before, say that the call went well. */
export function isOk(block: Buffer): boolean {
  for (const name of [grpcStatusPacked, grpcStatus]) {
    const at = block.indexOf(name);
    if (at < 0) continue;
    const value = block.subarray(at + name.length);
    // One byte "0", or its five bits of Huffman code and the padding.
    return (value[0] === 1 && value[1] === 0x30) || (value[0] === 0x81 && value[1] === 0x07);
  }
  return false;
}
