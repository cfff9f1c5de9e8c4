import type { Part } from "../schema";
import type { BitstreamFormat } from "./bitstream";
import { ByteReader, findBytes, latinText } from "./byte-reader";
import { invalid, truncated } from "./faults";

const preamble = [0xbd, 0xb3];
const commentBytes = 65_536;

/** By the id that the bitstream checks: the chip, nextpnr's name of it, and its frames (Project Trellis, `devices.json`). */
const devices: Readonly<Record<number, readonly [name: string, flow: string, frames: number]>> = {
  554766403: ["LFE5U-12F", "12k", 7562],
  1091637315: ["LFE5U-25F", "25k", 7562],
  1091641411: ["LFE5U-45F", "45k", 9470],
  1091645507: ["LFE5U-85F", "85k", 13294],
  17895491: ["LFE5UM-25F", "um-25k", 7562],
  17899587: ["LFE5UM-45F", "um-45k", 9470],
  17903683: ["LFE5UM-85F", "um-85k", 13294],
  2165379139: ["LFE5UM5G-25F", "um5g-25k", 7562],
  2165383235: ["LFE5UM5G-45F", "um5g-45k", 9470],
  2165387331: ["LFE5UM5G-85F", "um5g-85k", 13294],
};

/** Bytes that follow a command and its three bytes of operand (Lattice TN1260, table of commands). */
const dataBytes: Readonly<Record<number, number>> = {
  59: 0,
  226: 4,
  34: 4,
  70: 0,
  2: 8,
  194: 4,
  121: 0,
};
const commands = { dummy: 0xff, verifyId: 0xe2, frames: 0x82, packedFrames: 0xb8 } as const;
/** ISC_PROGRAM_DONE and its operand. */
const done = [0x5e, 0, 0, 0];

/** Lattice ECP5, as ecppack and Diamond write it. */
export const ecp5: BitstreamFormat = {
  id: "ecp5-bitstream",
  title: "ECP5 bitstream",
  fileName: "bitstream.bit",
  recognises(bytes) {
    const head = bytes.subarray(0, commentBytes);
    const isLattice = bytes[0] === 0xff && bytes[1] === 0;
    return isLattice && (findBytes(head, preamble) > 0 || /Part: LFE5/.test(latinText(head)));
  },
  read(bytes) {
    const begin = findBytes(bytes, preamble, { end: commentBytes });
    if (begin < 0) throw truncated("its preamble is missing");
    const comments = latinText(bytes.subarray(2, begin).filter((byte) => byte !== 0xff))
      .split("\0")
      .filter((line) => line !== "");
    const { name, frames, wanted } = beforeFrames(new ByteReader(bytes, begin + preamble.length));
    if (frames !== wanted) {
      throw invalid(`it announces ${frames} frames, and ${name} has ${wanted}`);
    }
    requireDone(bytes);
    const partName = /^Part: (\S+)$/m.exec(comments.join("\n"))?.[1] ?? null;
    if (partName !== null && !partName.startsWith(`${name}-`)) {
      throw invalid(`its comment names ${partName}, and its id is that of ${name}`);
    }
    return { format: "ecp5-bitstream", device: name, partName, comments };
  },
  fits: ({ device, partName }, part) =>
    isChip(device, part) && (partName === null || pinsOf(partName) === pinsOf(packageOf(part))),
};

function beforeFrames(reader: ByteReader) {
  let device: (typeof devices)[number] | null = null;
  for (;;) {
    const command = reader.number(1, "a command");
    if (command === commands.dummy) continue;
    const operand = reader.number(3, "an operand");
    if (command === commands.frames || command === commands.packedFrames) {
      if (!device) throw invalid("it does not say for which chip it is");
      const [name, , wanted] = device;
      return { name, wanted, frames: operand & 0xffff };
    }
    const size = dataBytes[command];
    if (size === undefined) throw invalid(`0x${command.toString(16)} is no command of an ECP5`);
    const data = reader.number(size, "the data of a command");
    if (command !== commands.verifyId) continue;
    device = devices[data] ?? null;
    if (!device) throw invalid(`0x${data.toString(16).padStart(8, "0")} is the id of no ECP5`);
  }
}

/** The last command, behind which there is nothing but padding. */
function requireDone(bytes: Uint8Array): void {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === commands.dummy) end -= 1;
  const last = bytes.subarray(Math.max(0, end - done.length), end);
  if (!done.every((byte, index) => last[index] === byte)) {
    throw truncated("the command that ends it is missing");
  }
}

const isChip = (device: string, { flow }: Part): boolean =>
  flow.kind === "trellis" &&
  Object.values(devices).some(([name, each]) => name === device && each === flow.device);

const packageOf = ({ flow }: Part): string => (flow.kind === "trellis" ? flow.package : "");

/** `LFE5U-25F-6BG381C` and `CABGA381` are packages of 381 balls. */
const pinsOf = (name: string): string => /(\d{3})[A-Z]?$/.exec(name)?.[1] ?? "";
