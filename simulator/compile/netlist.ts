import { fail } from "@/lib/common/errors";

/** A net bit: its number, or a constant. Yosys' `x` and `z` are read as "0": the simulation has two states. */
export type Bit = number | "0" | "1";

export interface Cell {
  readonly name: string;
  readonly type: string;
  /** Constants as Yosys writes them: most significant bit first. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Least significant bit first. */
  readonly connections: ReadonlyMap<string, readonly Bit[]>;
}

export interface Port {
  readonly name: string;
  readonly direction: "in" | "out";
  readonly bits: readonly Bit[];
}

export interface Netlist {
  readonly top: string;
  readonly ports: readonly Port[];
  readonly cells: readonly Cell[];
  /** Every named net of the module. */
  readonly nets: ReadonlyMap<string, readonly Bit[]>;
  /** Initial values of net bits, from the `init` attributes; bits not listed start at 0. */
  readonly initial: ReadonlyMap<number, "0" | "1">;
}

const maxWidth = 1 << 24;

const invalid = (message: string): Error =>
  fail("NETLIST_INVALID", message, {
    hint: "Write the netlist with Yosys: proc; flatten; memory_collect; opt_clean; write_json.",
  });

/**
 * Reads the module `top` of a netlist written by Yosys' `write_json`, checking its shape.
 *
 * @param source The parsed JSON, or its text.
 * @throws {AppError} `NETLIST_INVALID` when it is not such a netlist or has no such module.
 */
export function parseNetlist(source: unknown, top: string): Netlist {
  const json = typeof source === "string" ? parseText(source) : source;
  const modules = entriesOf(recordOf(json, "netlist")["modules"], "modules");
  const found = modules.find(([name]) => name === top);
  if (!found) throw invalid(`The netlist has no module ${top}.`);
  const module = recordOf(found[1], `module ${top}`);

  const ports = entriesOf(module["ports"], "ports").map(([name, value]) => toPort(name, value));
  const cells = entriesOf(module["cells"], "cells").map(([name, value]) => toCell(name, value));
  const nets = new Map<string, readonly Bit[]>();
  const initial = new Map<number, "0" | "1">();
  for (const [name, value] of entriesOf(module["netnames"], "netnames")) {
    const net = recordOf(value, `net ${name}`);
    const bits = bitsOf(net["bits"], `net ${name}`);
    nets.set(name, bits);
    const attributes = net["attributes"];
    const init = attributes === undefined ? undefined : recordOf(attributes, `net ${name}`)["init"];
    if (init !== undefined) readInitial(name, init, bits, initial);
  }
  return { top, ports, cells, nets, initial };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail("NETLIST_INVALID", "The netlist is not JSON.", { cause });
  }
}

function toPort(name: string, value: unknown): Port {
  const port = recordOf(value, `port ${name}`);
  const bits = bitsOf(port["bits"], `port ${name}`);
  switch (port["direction"]) {
    case "input":
      return { name, direction: "in", bits };
    case "output":
      return { name, direction: "out", bits };
    default:
      throw fail("CELL_UNSUPPORTED", `Port ${name} is neither an input nor an output.`);
  }
}

function toCell(name: string, value: unknown): Cell {
  const cell = recordOf(value, `cell ${name}`);
  const type = cell["type"];
  if (typeof type !== "string") throw invalid(`Cell ${name} has no type.`);
  const parameters = new Map<string, string>();
  for (const [key, constant] of entriesOf(cell["parameters"] ?? {}, `cell ${name}`)) {
    if (typeof constant === "string") parameters.set(key, constant);
    else if (Number.isInteger(constant)) parameters.set(key, toBinary(Number(constant)));
    else throw invalid(`Parameter ${key} of cell ${name} is not a constant.`);
  }
  const connections = new Map<string, readonly Bit[]>();
  for (const [port, bits] of entriesOf(cell["connections"], `cell ${name}`)) {
    connections.set(port, bitsOf(bits, `cell ${name}`));
  }
  return { name, type, parameters, connections };
}

function readInitial(
  name: string,
  init: unknown,
  bits: readonly Bit[],
  initial: Map<number, "0" | "1">,
): void {
  const text = typeof init === "number" ? toBinary(init) : init;
  if (typeof text !== "string" || !/^[01xz]*$/.test(text)) {
    throw invalid(`The initial value of net ${name} is not a bit string.`);
  }
  bits.forEach((bit, index) => {
    const value = text[text.length - 1 - index];
    if (typeof bit === "number" && (value === "0" || value === "1")) initial.set(bit, value);
  });
}

function bitsOf(value: unknown, where: string): Bit[] {
  if (!Array.isArray(value) || value.length > maxWidth)
    throw invalid(`The bits of ${where} are not a list.`);
  return value.map((bit: unknown): Bit => {
    if (typeof bit === "number" && Number.isSafeInteger(bit) && bit >= 0) return bit;
    if (bit === "1") return "1";
    if (bit === "0" || bit === "x" || bit === "z") return "0";
    throw invalid(`A bit of ${where} is neither a net number nor a constant.`);
  });
}

function recordOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`The ${where} is not an object.`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function entriesOf(value: unknown, where: string): [string, unknown][] {
  return Object.entries(recordOf(value, where));
}

const toBinary = (value: number): string => (value >>> 0).toString(2).padStart(32, "0");

/** A parameter as a count. @throws {AppError} `NETLIST_INVALID` when it is missing or out of range. */
export function numberParameter(cell: Cell, name: string): number {
  const text = cell.parameters.get(name);
  if (text === undefined || !/^[01]+$/.test(text)) {
    throw invalid(`Cell ${cell.name} (${cell.type}) has no number ${name}.`);
  }
  const value = Number.parseInt(text, 2);
  if (value > maxWidth) throw invalid(`${name} of cell ${cell.name} (${cell.type}) is ${value}.`);
  return value;
}

/** A signed 32-bit parameter, such as a memory's OFFSET. */
export function signedParameter(cell: Cell, name: string): number {
  const text = cell.parameters.get(name) ?? "0";
  if (!/^[01]{1,32}$/.test(text)) throw invalid(`Cell ${cell.name} has no number ${name}.`);
  return text.length === 32 ? Number.parseInt(text, 2) | 0 : Number.parseInt(text, 2);
}

/** A one-bit parameter; absent means false. */
export function flagParameter(cell: Cell, name: string): boolean {
  return cell.parameters.get(name)?.endsWith("1") ?? false;
}

/** A constant as bits, least significant first, padded with 0 to `width`; `x` is 0. */
export function bitsParameter(cell: Cell, name: string, width: number): ("0" | "1")[] {
  const text = cell.parameters.get(name) ?? "";
  return Array.from({ length: width }, (_, index) =>
    text[text.length - 1 - index] === "1" ? "1" : "0",
  );
}

/** The bits at a port of a cell. @throws {AppError} `NETLIST_INVALID` when the port or its width is wrong. */
export function connection(cell: Cell, port: string, width?: number): readonly Bit[] {
  const bits = cell.connections.get(port);
  if (!bits || (width !== undefined && bits.length !== width)) {
    throw invalid(
      `Port ${port} of cell ${cell.name} (${cell.type}) ${bits ? `has ${bits.length} bits, not ${width}` : "is not connected"}.`,
    );
  }
  return bits;
}
