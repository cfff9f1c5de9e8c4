/** A read-only memory of the core with its contents; word 0 first. */
export interface MemoryImage {
  readonly name: string;
  readonly width: number;
  readonly words: readonly bigint[];
}

/** A place in a memory of the emitted core; the value's lowest bit is `bit`. */
export interface MemoryPlace {
  readonly memory: string;
  readonly word: number;
  readonly bit: number;
  readonly width: number;
}

/** Bits of a shift amount. */
export const shiftWidth = 4;
/** Bits of a weight, as the memories hold it. */
export const weightBits = 8;
/** Lanes that share one weight memory: two 8-bit weights fill the 16-bit port of an iCE40 block RAM. */
export const lanesPerMemory = 2;

/** The memory that has the weights of a lane, and where in its words they begin. */
export const weightMemoryOf = (lane: number): { readonly name: string; readonly bit: number } => ({
  name: `weights_${Math.floor(lane / lanesPerMemory)}`,
  bit: (lane % lanesPerMemory) * weightBits,
});

/** The value as two's complement of `width` bits. */
export function bits(value: number, width: number): bigint {
  return BigInt.asUintN(width, BigInt(value));
}

/** A memory with its contents, one word a line. */
export function declareMemory(
  { name, width, words }: MemoryImage,
  style: "block" | "logic",
): string {
  const lines = words.map((word, index) => `    ${name}[${index}] = ${hex(word, width)};`);
  return `  (* rom_style = "${style}" *) reg [${width - 1}:0] ${name} [0:${words.length - 1}];
  initial begin
${lines.join("\n")}
  end`;
}

/** `width'hdigits`, all digits written. */
export function hex(value: bigint, width: number): string {
  return `${width}'h${value.toString(16).padStart(Math.ceil(width / 4), "0")}`;
}
