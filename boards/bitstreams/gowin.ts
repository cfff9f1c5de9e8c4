import type { Part } from "../schema";
import type { BitstreamFormat } from "./bitstream";
import { latinText } from "./byte-reader";
import { invalid, truncated } from "./faults";

/** Ids of the chips, with the names that Project Apicula packs them by. */
const devices: Readonly<Record<number, readonly string[]>> = {
  151005211: ["GW1N-1"],
  16803867: ["GW1NZ-1"],
  16791579: ["GW1N-4"],
  16816155: ["GW1NS-4"],
  285235227: ["GW1N-9"],
  285231131: ["GW1N-9C"],
  2075: ["GW2A-18", "GW2A-18C"],
  75803: ["GW5A-25A"],
};

const commands = { device: 0x06, frames: 0x3b } as const;
const sync = "a5c3";
const headBytes = 16_384;

/** Gowin's `.fs`: lines of bits in text, and comments, as gowin_pack and Gowin's own tool write it. */
export const gowin: BitstreamFormat = {
  id: "gowin-bitstream",
  title: "Gowin bitstream",
  fileName: "bitstream.fs",
  recognises(bytes) {
    const head = latinText(bytes.subarray(0, headBytes)).split(/\r?\n/);
    const first = head.find((line) => line !== "" && !line.startsWith("//")) ?? "";
    const isNamed = head.some((line) => /^\/\/Part Number: GW/.test(line));
    return isNamed || (/^1{16,}$/.test(first) && first.length % 8 === 0);
  },
  read(bytes) {
    const lines = latinText(bytes).split(/\r?\n/);
    const comments = lines.filter((line) => line.startsWith("//")).map((line) => line.slice(2));
    const device = framesOf(lines);
    const named = comments.flatMap((line) => /^Part Number: (\S+)$/.exec(line.trim())?.[1] ?? []);
    return { format: "gowin-bitstream", device, partName: named[0] ?? null, comments };
  },
  fits: ({ device, partName }, part) =>
    isChip(device, part) &&
    (partName === null || packageOf(partName) === packageOf(part.id.replaceAll("-i", "/i"))),
};

/** A frame ends in its checksum and six bytes of ones. */
const frameEnd = /1{48}$/;
/** At least: what ends the frames, and what ends the file. */
const endLines = 2;

/** Follows the lines; answers the chip's name once every frame that is announced has come, and an end. */
function framesOf(lines: readonly string[]): string {
  const words = wordsOf(lines);
  const start = words.findIndex(({ bits }) => hexOf(bits) === sync);
  const announced = words.findIndex(
    ({ bits }, index) => index > start && commandOf(bits) === commands.frames,
  );
  const head = words.slice(start + 1, announced < 0 ? undefined : announced);
  const id = head.find(({ bits }) => commandOf(bits) === commands.device);
  if (start < 0 || announced < 0) throw truncated("it ends before its frames begin");
  if (!id) throw invalid("it does not say for which chip it is");
  const device = deviceOf(hexOf(id.bits));
  const count = Number.parseInt(hexOf(words[announced]?.bits ?? "").slice(4), 16);
  const frames = words.slice(announced + 1, announced + 1 + count);
  const broken = frames.find(({ bits }) => !frameEnd.test(bits));
  if (broken) throw invalid(`line ${broken.number} is no frame`);
  const after = words.length - announced - 1 - count;
  if (after < 0) throw truncated(`${-after} of the ${count} frames that it announces are missing`);
  if (after < endLines) throw truncated("its end is missing");
  return device;
}

interface Word {
  /** Of its line, counted from 1. */
  readonly number: number;
  readonly bits: string;
}

/** Lines of bits. */
function wordsOf(lines: readonly string[]): Word[] {
  return lines.flatMap((line, index) => {
    if (line === "" || line.startsWith("//")) return [];
    const number = index + 1;
    if (line.length % 8 === 0 && !/[^01]/.test(line)) return [{ number, bits: line }];
    throw number === lines.length
      ? truncated(`line ${number} breaks off`)
      : invalid(`line ${number} is no line of whole bytes`);
  });
}

const commandOf = (bits: string): number => Number.parseInt(bits.slice(0, 8), 2);

const hexOf = (bits: string): string =>
  (bits.match(/.{8}/g) ?? [])
    .map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, "0"))
    .join("");

function deviceOf(word: string): string {
  const [name] = devices[Number.parseInt(word.slice(8, 16), 16)] ?? [];
  if (name === undefined)
    throw invalid(`0x${word.slice(8, 16)} is the id of no Gowin chip we know`);
  return name;
}

/** What gowin_pack is told after `-d` names the chip. */
function isChip(device: string, { flow }: Part): boolean {
  if (flow.kind !== "apicula") return false;
  const packed = flow.packArgs[flow.packArgs.indexOf("-d") + 1] ?? "";
  return Object.values(devices).some((names) => names[0] === device && names.includes(packed));
}

/** Series, size and package of a part's name, its voltage and speed left out. */
function packageOf(partName: string): string {
  const [, series = "", size = "", pack = ""] =
    /^(gw[0-9a-z]+)-[a-z]v(\d+)([a-z]+\d+)/.exec(partName.toLowerCase()) ?? [];
  return `${series} ${size} ${pack}`;
}
