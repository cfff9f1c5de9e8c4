import type { BitstreamFormat } from "./bitstream";
import { ByteReader, latinText } from "./byte-reader";
import { invalid } from "./faults";

const magic = [..."xclbin2"].map((letter) => letter.charCodeAt(0));
/** Where its header has what; little-endian. Source: XRT, `xclbin.h`, `struct axlf`. */
const at = {
  length: 304,
  patch: 328,
  major: 330,
  minor: 331,
  mode: 332,
  platform: 352,
  uuid: 416,
  sectionCount: 448,
  sections: 456,
} as const;
/** A section's header, `struct axlf_section_header`. */
const section = { bytes: 40, offset: 24, size: 32 } as const;
/** `XCLBIN_FLAT` and those for partial reconfiguration; the next ones are for emulations. */
const lastHardwareMode = 2;

/** AMD's container for Alveo cards: the configuration of the region that is a user's, and what XRT must know of it. */
export const xclbin: BitstreamFormat = {
  id: "xclbin",
  title: "AMD xclbin",
  fileName: "kernel.xclbin",
  recognises: (bytes) => bytes[7] === 0 && magic.every((byte, index) => bytes[index] === byte),
  read(bytes) {
    const header = new ByteReader(bytes).take(at.sections, "its header");
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const platform = textAt(header, at.platform, 64);
    const card = cardOf(platform);
    if (card === null) throw invalid(`it is for the platform "${platform}", which is no card's`);
    const mode = view.getUint16(at.mode, true);
    if (mode > lastHardwareMode) throw invalid(`its mode ${mode} is an emulation's`);
    const length = Number(view.getBigUint64(at.length, true));
    new ByteReader(bytes).take(length, "the whole file");
    if (bytes.length > length) {
      throw invalid(`it announces ${length} bytes, and ${bytes.length - length} more follow`);
    }
    requireSections(bytes, { count: view.getUint32(at.sectionCount, true), length });
    const version = [at.major, at.minor].map((place) => view.getUint8(place));
    const uuid = [...header.subarray(at.uuid, at.uuid + 16)]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("");
    const comments = [`xclbin ${[...version, view.getUint16(at.patch, true)].join(".")}, ${uuid}`];
    return { format: "xclbin", device: card, partName: platform, comments };
  },
  fits: ({ device }, { flow }) =>
    flow.kind === "vivado" && flow.device.toLowerCase().startsWith(`xc${device}-`),
};

/** `xilinx_u50_gen3x16_xdma_5_202210_1` is for a U50. */
function cardOf(platform: string): string | null {
  return /^xilinx[_:](u\d+[a-z]*)[_:]/.exec(platform)?.[1] ?? null;
}

function requireSections(
  bytes: Uint8Array,
  { count, length }: { readonly count: number; readonly length: number },
): void {
  const reader = new ByteReader(bytes, at.sections);
  for (let index = 0; index < count; index++) {
    const header = reader.take(section.bytes, `the header of section ${index}`);
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const end = view.getBigUint64(section.offset, true) + view.getBigUint64(section.size, true);
    if (end > BigInt(length)) throw invalid(`section ${index} ends behind the end of the file`);
  }
}

function textAt(bytes: Uint8Array, from: number, size: number): string {
  return latinText(bytes.subarray(from, from + size)).replace(/\0.*$/s, "");
}
