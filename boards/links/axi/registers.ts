/** What a host finds at an address of the wrapper. */
export interface Register {
  readonly name: string;
  /** Bytes from the base address; registers are words of 32 bits, little-endian. */
  readonly offset: number;
  readonly access: "read" | "write" | "read-write";
  readonly meaning: string;
  /** Bits that mean something of their own, by name. */
  readonly bits?: Readonly<Record<string, number>>;
}

/** "BWAX", as a host reads it from the first address. */
export const axiMagic = 0x42574158;
/** The wrapper as a kernel of XRT, which has its registers alone. */
export const axiKernel = "boardwalk_kernel";
/** Of the address map; another one means another map. */
export const axiVersion = 1;
/** Bytes of addresses that the wrapper decodes; beyond its registers it answers SLVERR. */
export const rangeBytes = 4096;

/** Of the identity, a whole number of words. */
export const identityBytes = 48;

const registers = [
  { name: "magic", offset: 0x00, access: "read", meaning: "0x42574158, BWAX" },
  { name: "version", offset: 0x04, access: "read", meaning: "version of this map: 1" },
  {
    name: "control",
    offset: 0x08,
    access: "read-write",
    meaning:
      "reset clears itself; data chooses the data registers instead of the streams, with a reset",
    bits: { reset: 0, data: 1 },
  },
  {
    name: "status",
    offset: 0x0c,
    access: "read-write",
    meaning: "write 1 to wrong_length to clear it",
    bits: {
      data_in_ready: 0,
      data_out_valid: 1,
      in_row: 2,
      in_answer: 3,
      resetting: 4,
      discarding: 5,
      wrong_length: 6,
    },
  },
  {
    name: "cycles",
    offset: 0x10,
    access: "read",
    meaning: "clock cycles of the last answered row, from its last byte in to its first byte out",
  },
  { name: "rows", offset: 0x14, access: "read", meaning: "rows answered since the reset" },
  { name: "wrong_rows", offset: 0x18, access: "read", meaning: "rows of a wrong length, dropped" },
  { name: "input_bytes", offset: 0x1c, access: "read", meaning: "bytes of a row" },
  { name: "output_bytes", offset: 0x20, access: "read", meaning: "bytes of an answer" },
  {
    name: "data_in",
    offset: 0x30,
    access: "write",
    meaning: "bits 7 to 0 a byte of a row, bit 8 marks the last; SLVERR while data_in_ready is 0",
    bits: { last: 8 },
  },
  {
    name: "data_out",
    offset: 0x34,
    access: "read",
    meaning:
      "bits 7 to 0 a byte of the answer, bit 8 marks the last, bit 9 says that there was one",
    bits: { last: 8, there: 9 },
  },
  {
    name: "identity",
    offset: 0x40,
    access: "read",
    meaning: "48 bytes: who the design is, as the serial shell tells it; the plan's SHA-256 first",
  },
] as const satisfies readonly Register[];

type RegisterName = (typeof registers)[number]["name"];

/** Where each register is, by name. */
export const axiOffsets = Object.fromEntries(
  registers.map(({ name, offset }) => [name, offset]),
) as Readonly<Record<RegisterName, number>>;

/** Bits that mean something of their own, by register and name, as numbers to and with. */
export const axiBits = Object.fromEntries(
  registers.flatMap((register) => {
    if (!("bits" in register)) return [];
    const bits = Object.entries(register.bits).map(([name, bit]) => [name, 2 ** bit]);
    return [[register.name, Object.fromEntries(bits)]];
  }),
) as Readonly<Record<RegisterName, Readonly<Record<string, number>>>>;

/** The address map as it goes into a project: canonical order, for programs and people. */
export function renderAddressMap(core: {
  readonly inputBytes: number;
  readonly outputBytes: number;
}): string {
  const map = {
    schemaVersion: 1,
    module: "boardwalk_axi",
    version: axiVersion,
    dataBits: 32,
    rangeBytes,
    identityBytes,
    ...core,
    registers,
  };
  return `${JSON.stringify(map, null, 2)}\n`;
}
