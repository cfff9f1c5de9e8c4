// Bitstreams that hold no design, laid out as the tools lay out theirs: for tests of what reads them.

/** CRC-16 as an iCE40 computes it, one bit at a time, from the definition of icepack. */
function crcOf(bytes: readonly number[]): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const flips = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) ^ (flips ? 0x1021 : 0)) & 0xffff;
    }
  }
  return crc;
}

const word = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256);

/** Of an iCE40 UP5K, unless sizes are given. `claimedHeight` says another one than comes. */
export function ice40Bitstream({
  comment = "",
  width = 692,
  height = 336,
  claimedHeight = null as number | null,
} = {}): Buffer {
  const commands = [
    ...[0x92, 0x00, 0x20, 0x62, ...word(width - 1, 2)],
    ...[0x82, 0x00, 0x00, 0x72, ...word(claimedHeight ?? height, 2), 0x11, 0x00, 0x01, 0x01],
    ...Array.from({ length: (width * height) / 8 }, (_, index) => (index % 251) + 1),
    ...[0, 0, 0x22],
  ];
  return Buffer.concat([
    Buffer.from([0xff, 0x00]),
    Buffer.from(comment, "latin1"),
    Buffer.from([0x00, 0xff, 0x7e, 0xaa, 0x99, 0x7e, 0x51, 0x00, 0x01, 0x05]),
    Buffer.from([...commands, ...word(crcOf(commands), 2), 0x01, 0x06, 0x00]),
  ]);
}

/** Of an ECP5 25F. `frames` is what it announces; those that come are not counted. */
export function ecp5Bitstream({
  part = "LFE5U-25F-6CABGA381" as string | null,
  idcode = 0x41111043,
  frames = 7562,
} = {}): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0x00]),
    Buffer.from(part === null ? "" : `Part: ${part}\0`, "latin1"),
    Buffer.from([0xff, 0xff, 0xff, 0xbd, 0xb3, 0xff, 0xff, 0xff, 0xff, 0x3b, 0, 0, 0]),
    Buffer.from([0xe2, 0, 0, 0, ...word(idcode, 4), 0x22, 0, 0, 0, 0x40, 0, 0, 0, 0x46, 0, 0, 0]),
    Buffer.from([0x02, 0, 0, 0, ...word(0xf8f9fafb, 4), ...word(0xfcfdfeff, 4)]),
    Buffer.from([0xb8, 0x91, ...word(frames, 2)]),
    Buffer.alloc(200, 0x55),
    Buffer.from([0xc2, 0x80, 0, 0, 0, 0, 0, 0, 0x5e, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
  ]);
}

/** Lines of a Gowin bitstream, of a GW1N-9C unless an id is given: eight frames, and an end. */
export function gowinBitstream({
  part = null as string | null,
  idcode = 0x1100481b,
} = {}): string[] {
  const line = (...bytes: number[]) =>
    bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return [
    ...(part === null ? [] : ["//Copyright", `//Part Number: ${part}`, ""]),
    line(...Array<number>(20).fill(255)),
    line(255, 255),
    line(0xa5, 0xc3),
    line(0x06, 0, 0, 0, ...word(idcode, 4)),
    line(0x10, 0, 0, 0, 0, 0, 0, 0),
    line(0x3b, 0x80, 0, 8),
    ...Array.from({ length: 8 }, (_, index) =>
      line(0x3b, 0x06, index, 1, 255, 255, 255, 255, 255, 255),
    ),
    line(255, 255, 255, 255),
    line(0x08, 0, 0, 0),
  ];
}

/** Of the chip of a ZedBoard, unless another part is given. */
export function xilinxBitstream({
  part = "7z020clg484",
  sync = 0xaa995566,
  length = null as number | null,
} = {}): Buffer {
  const field = (key: string, text: string) => {
    const bytes = Buffer.from(`${text}\0`, "latin1");
    return Buffer.concat([Buffer.from(key), Buffer.from(word(bytes.length, 2)), bytes]);
  };
  const data = Buffer.concat([
    Buffer.alloc(32, 0xff),
    Buffer.from(word(sync, 4)),
    Buffer.alloc(64),
  ]);
  return Buffer.concat([
    Buffer.from([0, 9, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0, 0, 1]),
    field("a", "bm;UserID=0xFFFFFFFF"),
    field("b", part),
    field("c", "2026/01/31"),
    field("d", "12:00:00"),
    Buffer.from("e"),
    Buffer.from(word(length ?? data.length, 4)),
    data,
  ]);
}

/** An xclbin with one section: its header and its sections' places are right, its contents mean nothing. */
export function xclbinFile({
  platform = "xilinx_u50_gen3x16_xdma_5_202210_1",
  mode = 0,
  sectionBytes = 64,
  content = 0,
} = {}): Buffer {
  const bytes = Buffer.alloc(456 + 40 + 64, content);
  bytes.fill(0, 0, 456 + 40);
  bytes.write("xclbin2\0", 0, "latin1");
  bytes.writeInt32LE(-1, 8);
  bytes.fill(0xff, 12, 40);
  bytes.writeBigUInt64LE(BigInt(bytes.length), 304);
  bytes.writeUInt8(2, 330);
  bytes.writeUInt8(13, 331);
  bytes.writeUInt16LE(mode, 332);
  bytes.write(platform, 352, "latin1");
  bytes.set(
    Array.from({ length: 16 }, (_, index) => index),
    416,
  );
  bytes.writeUInt32LE(1, 448);
  bytes.writeBigUInt64LE(496n, 456 + 24);
  bytes.writeBigUInt64LE(BigInt(sectionBytes), 456 + 32);
  return bytes;
}
