/** A bit: `0`, `1` or the name of a net; several from the lowest on. */
type Bits = string | readonly string[];

/** Text; a number, which has 32 bits; bits, the highest first; or a number with a point. */
type Parameter = string | number | { readonly bits: string } | { readonly decimal: string };

/** One cell of an FPGA family, as data: it is written as Verilog for people and vendors' tools, and put into mapped netlists. */
export interface Cell {
  readonly name: string;
  readonly type: string;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, Bits>>;
  readonly outputs: Readonly<Record<string, Bits>>;
}

/** What stands in a module. Nets are its ports, whose bits are called `port[0]` where there are several, and wires of its own. */
export interface Contents {
  readonly cells: readonly Cell[];
  /** Outputs that are another net, or a level. */
  readonly wires: Readonly<Record<string, Bits>>;
}

/** The cells that mapped netlists of some families have for the two levels: types and outputs. */
export interface LevelCells {
  readonly low: readonly [type: string, output: string];
  readonly high: readonly [type: string, output: string];
}

/** The bits of a value, the lowest first. */
export const bitsOf = (value: number, width: number): string[] =>
  [...value.toString(2).padStart(width, "0")].reverse();

/** The body of a module with such contents. @param ports Nets that the module declares itself. */
export function verilogOf({ cells, wires }: Contents, ports: readonly string[]): string {
  const driven = cells.flatMap(({ outputs }) => Object.values(outputs).flat());
  const own = [...new Set(driven)].filter((net) => !ports.includes(net));
  return [
    ...(own.length > 0 ? [`  wire ${own.join(", ")};\n`] : []),
    ...cells.map(instanceOf),
    ...Object.entries(wires).map(([port, bits]) => `  assign ${port} = ${textOf(bits)};\n`),
  ].join("");
}

function instanceOf({ name, type, parameters = {}, attributes = {}, inputs, outputs }: Cell) {
  const list = (entries: readonly string[]) =>
    `(\n${entries.map((each) => `    ${each}`).join(",\n")}\n  )`;
  const settings = Object.entries(parameters).map(([key, value]) => `.${key}(${literalOf(value)})`);
  const ports = Object.entries({ ...inputs, ...outputs }).map(
    ([port, bits]) => `.${port}(${textOf(bits)})`,
  );
  return [
    ...Object.entries(attributes).map(([key, value]) => `  (* ${key} = "${value}" *)\n`),
    `  ${type} ${settings.length > 0 ? `#${list(settings)} ` : ""}${name} ${list(ports)};\n`,
  ].join("");
}

function literalOf(parameter: Parameter): string {
  if (typeof parameter === "string") return `"${parameter}"`;
  if (typeof parameter === "number") return String(parameter);
  if ("decimal" in parameter) return parameter.decimal;
  return `${parameter.bits.length}'b${parameter.bits}`;
}

function textOf(bits: Bits): string {
  const texts = [bits].flat().map((bit) => (bit === "0" || bit === "1" ? `1'b${bit}` : bit));
  return texts.length === 1 ? (texts[0] ?? "") : `{${texts.toReversed().join(", ")}}`;
}

/** A parameter as Yosys's `write_json` has it: text that could be taken for bits ends in a space. */
export function jsonParameter(parameter: Parameter): string {
  if (typeof parameter === "number") return parameter.toString(2).padStart(32, "0");
  if (typeof parameter !== "string")
    return "bits" in parameter ? parameter.bits : Number(parameter.decimal).toFixed(6);
  return /^[01xz]* *$/.test(parameter) ? `${parameter} ` : parameter;
}
