import type { Part } from "@/boards";
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

/** Follows the lines; answers the chip's name once every frame that is announced has come, and an end. */
function framesOf(lines: readonly string[]): string {
  let device: string | null = null;
  let isSynced = false;
  let left = 0;
  let isEnded = false;
  for (const [index, line] of lines.entries()) {
    if (line === "" || line.startsWith("//")) continue;
    if (line.length % 8 !== 0 || /[^01]/.test(line)) {
      throw index === lines.length - 1
        ? truncated(`line ${index + 1} breaks off`)
        : invalid(`line ${index + 1} is no line of whole bytes`);
    }
    if (left > 0) {
      left -= 1;
      isEnded = false;
      continue;
    }
    isEnded = device !== null;
    const word = hexOf(line.slice(0, 64));
    if (word === sync) isSynced = true;
    if (!isSynced) continue;
    const command = Number.parseInt(word.slice(0, 2), 16);
    if (command === commands.device) device = deviceOf(word);
    if (command !== commands.frames) continue;
    if (device === null) throw invalid("it does not say for which chip it is");
    left = Number.parseInt(word.slice(4), 16);
    isEnded = false;
  }
  if (device === null) throw truncated("it ends before it says for which chip it is");
  if (left > 0) throw truncated(`${left} of the frames that it announces are missing`);
  if (!isEnded) throw truncated("its end is missing");
  return device;
}

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
