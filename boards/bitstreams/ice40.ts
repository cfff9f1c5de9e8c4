import type { BitstreamFormat } from "./bitstream";
import { ByteReader, findBytes, latinText } from "./byte-reader";
import { crc16 } from "./crc16";
import { invalid, truncated } from "./faults";

const sync = [0x7e, 0xaa, 0x99, 0x7e];
/** Comments are text before the sync word; none is longer. */
const commentBytes = 65_536;

/** Configuration memory of each chip, bits of a row and rows (Project IceStorm, `icepack.cc`). */
const devices: Readonly<Record<string, string>> = {
  "182x80": "384",
  "332x144": "1k",
  "872x272": "8k",
  "656x176": "lm4k",
  "692x176": "u4k",
  "692x336": "5k",
};

const deviceOfFlow: Readonly<Record<string, string>> = {
  hx1k: "1k",
  hx8k: "8k",
  lp8k: "8k",
  up5k: "5k",
};

/** Commands by the upper half of their byte; the lower half is the number of bytes of their operand. */
const commands = {
  act: 0x0,
  bank: 0x1,
  crc: 0x2,
  boot: 0x4,
  oscillator: 0x5,
  width: 0x6,
  height: 0x7,
  offset: 0x8,
  mode: 0x9,
} as const;
const acts = { cram: 1, bram: 3, resetCrc: 5, wakeUp: 6, reboot: 8 } as const;

/** Lattice iCE40, as icepack and iCEcube write it. */
export const ice40: BitstreamFormat = {
  id: "ice40-bitstream",
  title: "iCE40 bitstream",
  fileName: "bitstream.bin",
  recognises: (bytes) => syncOf(bytes) >= 0,
  read(bytes) {
    const at = syncOf(bytes);
    const { width, height } = configurationOf(new ByteReader(bytes, at + sync.length));
    const device = devices[`${width}x${height}`];
    if (!device) throw invalid(`no iCE40 has a configuration of ${width} × ${height} bits`);
    const comments = latinText(bytes.subarray(2, Math.max(2, at - 2)))
      .split("\0")
      .filter((line) => line !== "");
    return { format: "ice40-bitstream", device, partName: null, comments };
  },
  fits: ({ device }, { flow }) => flow.kind === "icestorm" && deviceOfFlow[flow.device] === device,
};

/** Where the sync word lies: at the begin, or behind comments between FF 00 and 00 FF; −1: it is no such file. */
function syncOf(bytes: Uint8Array): number {
  const at = findBytes(bytes, sync, { end: commentBytes });
  const isComment = bytes[0] === 0xff && bytes[1] === 0 && bytes[at - 1] === 0xff;
  return at === 0 || (at > 0 && isComment) ? at : -1;
}

/** Follows the commands up to the one that wakes the chip. Answers how large the configuration is that was sent. */
function configurationOf(reader: ByteReader): { width: number; height: number } {
  const seen = { width: 0, height: 0 };
  const bank = { width: 0, height: 0, offset: 0 };
  const crc = crc16();
  while (!reader.isAtEnd) {
    const { code, operand, bytes } = nextCommand(reader);
    crc.update(bytes);
    if (code === commands.width) bank.width = operand + 1;
    else if (code === commands.height) bank.height = operand;
    else if (code === commands.offset) bank.offset = operand;
    else if (code === commands.crc && crc.value !== 0) throw invalid("its checksum does not hold");
    else if (code === commands.act && operand === acts.resetCrc) crc.reset();
    else if (code === commands.act && operand === acts.reboot) {
      throw invalid("it holds several images to choose from, not one design");
    } else if (code === commands.act && (operand === acts.cram || operand === acts.bram)) {
      crc.update(takeBank(reader, bank));
      if (operand === acts.cram) {
        seen.width = Math.max(seen.width, bank.width);
        seen.height = Math.max(seen.height, bank.offset + bank.height);
      }
    } else if (code === commands.act && operand === acts.wakeUp) {
      requireEnd(reader);
      return seen;
    }
  }
  throw truncated("the command that wakes the chip is missing");
}

const known: ReadonlySet<number> = new Set(Object.values(commands));

function nextCommand(reader: ByteReader) {
  const from = reader.at;
  const byte = reader.number(1, "a command");
  const code = byte >> 4;
  const size = byte & 0x0f;
  if (!known.has(code) || size > 4) throw invalid(`byte ${from} is no command of an iCE40`);
  const operand = reader.number(size, "an operand");
  return { code, operand, bytes: reader.bytes.subarray(from, reader.at) };
}

/** The bits of one bank, and the two zero bytes that end them. */
function takeBank(
  reader: ByteReader,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array {
  const data = reader.take((width * height) / 8 + 2, `a bank of ${width} × ${height} bits`);
  if (data.at(-1) !== 0 || data.at(-2) !== 0) {
    throw invalid(`a bank of ${width} × ${height} bits does not end where its size says`);
  }
  return data;
}

function requireEnd(reader: ByteReader): void {
  const rest = reader.bytes.subarray(reader.at);
  if (rest.some((byte) => byte !== 0 && byte !== 0xff)) throw invalid("something follows its end");
}
