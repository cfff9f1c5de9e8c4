import type { BitstreamFormat } from "./bitstream";
import { ByteReader, findBytes, latinText } from "./byte-reader";
import { invalid } from "./faults";

/** A field of nine bytes, and one of a single byte: every `.bit` file begins so. */
const begin = [0, 9, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0x0f, 0xf0, 0, 0, 1];
const sync = [0xaa, 0x99, 0x55, 0x66];
const fields = { a: "design", b: "part", c: "date", d: "time" } as const;
const fieldBytes = 4096;

/** Xilinx's `.bit`: a header of named fields, then the configuration. */
export const xilinx: BitstreamFormat = {
  id: "xilinx-bitstream",
  title: "Xilinx bitstream",
  fileName: "bitstream.bit",
  recognises: (bytes) => begin.every((byte, index) => bytes[index] === byte),
  read(bytes) {
    const reader = new ByteReader(bytes, begin.length);
    const texts = Object.entries(fields).map(([key, name]) => textOf(reader, key, name));
    const [design = "", part = "", date = "", time = ""] = texts;
    if (part === "") throw invalid("it names no part");
    const key = reader.number(1, "the length of the configuration");
    if (key !== 0x65) throw invalid("its field e is missing");
    const length = reader.number(4, "the length of the configuration");
    const data = reader.take(length, "the configuration");
    if (!reader.isAtEnd) {
      const more = bytes.length - reader.at;
      throw invalid(`it announces ${length} bytes of configuration, and ${more} more follow`);
    }
    if (findBytes(data, sync, { end: 4096 }) < 0) throw invalid("its sync word is missing");
    const comments = [`design ${design}`, `made ${date} ${time}`.trim()];
    return { format: "xilinx-bitstream", device: part, partName: part, comments };
  },
  // Vivado leaves the speed out of older parts' names, and the letters xc.
  fits({ device }, { flow }) {
    if (flow.kind !== "vivado") return false;
    const plain = (name: string) => name.toLowerCase().replace(/^xc/, "").replaceAll("-", "");
    return device.length >= 6 && plain(flow.device).startsWith(plain(device));
  },
};

/** The configuration that Vivado's file holds behind its header; null for a file that is none of Vivado's. */
export function configurationOf(bytes: Uint8Array): Uint8Array | null {
  if (!xilinx.recognises(bytes)) return null;
  const reader = new ByteReader(bytes, begin.length);
  for (const [key, name] of Object.entries(fields)) textOf(reader, key, name);
  reader.take(1, "the length of the configuration");
  return reader.take(reader.number(4, "the length of the configuration"), "the configuration");
}

function textOf(reader: ByteReader, key: string, name: string): string {
  if (reader.number(1, `the ${name}`) !== key.charCodeAt(0)) {
    throw invalid(`its field ${key}, the ${name}, is missing`);
  }
  const size = reader.number(2, `the ${name}`);
  if (size > fieldBytes) throw invalid(`its field ${key}, the ${name}, has ${size} bytes`);
  return latinText(reader.take(size, `the ${name}`)).replace(/\0.*$/s, "");
}
