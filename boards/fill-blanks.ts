import { fail } from "@/lib/common/errors";
import { type Cell, type Contents, jsonParameter, type LevelCells } from "./contents";

/** What stands in for the blanks of a mapped netlist. */
export interface Filling {
  /** By the type of the blank, `clock_source`, and its number where it has one, `identity_table 3`. */
  readonly blanks: Readonly<Record<string, Contents>>;
  /** What levels come from; null where the netlist has them as such. */
  readonly levels: LevelCells | null;
}

/** A netlist without blanks, and what is in it. */
export interface FilledNetlist {
  /** How many blanks there were. */
  readonly blanks: number;
  readonly netlist: string;
  /** Cells by type. */
  readonly counts: Readonly<Record<string, number>>;
}

type Bit = number | string;

interface JsonCell {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly connections: Record<string, readonly Bit[]>;
}

interface JsonModule {
  readonly ports: Record<string, { bits: readonly Bit[] }>;
  readonly cells: Record<string, JsonCell>;
  readonly netnames: Record<string, { bits: readonly Bit[] }>;
}

/**
 * Puts contents in place of the blanks of a netlist, which synthesis took for cells that it does not know. Nothing else
 * changes: equal netlists with equal fillings are equal.
 *
 * @param text Of Yosys's `write_json`, flattened to the module `top`.
 * @throws {AppError} `OUTPUT_INVALID` where it is no such netlist, or has a blank that nothing is given for.
 */
export function fillBlanks(text: string, top: string, filling: Filling): FilledNetlist {
  const design = parse(text);
  const module = design.modules[top];
  if (!module) throw fail("OUTPUT_INVALID", `The mapped netlist has no module ${top}.`);
  const blanks = new Set(Object.keys(filling.blanks).map((name) => name.split(" ")[0] ?? ""));
  for (const type of blanks) delete design.modules[type];
  const nextNet = netsAfter(module);
  const levels = levelsIn(module, filling.levels, nextNet);
  const became = new Map<Bit, Bit>();
  let filled = 0;
  for (const [name, cell] of Object.entries(module.cells)) {
    if (!blanks.has(cell.type)) continue;
    const contents = filling.blanks[nameOf(cell)];
    if (!contents) throw fail("OUTPUT_INVALID", `Nothing is given for ${name}, a ${nameOf(cell)}.`);
    filled++;
    delete module.cells[name];
    for (const [at, added] of placed(cell, contents, { levels, nextNet, became }))
      module.cells[`${name}.${at}`] = added;
  }
  connect(module, became);
  const counts: Record<string, number> = {};
  for (const { type } of Object.values(module.cells)) counts[type] = (counts[type] ?? 0) + 1;
  return { blanks: filled, netlist: JSON.stringify(design), counts };
}

function parse(text: string): { readonly modules: Record<string, JsonModule> } {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail("OUTPUT_INVALID", "The mapped netlist is not JSON.", { cause });
  }
}

function nameOf({ type, parameters = {} }: JsonCell): string {
  const index = parameters["INDEX"];
  return index === undefined ? type : `${type} ${Number.parseInt(index, 2)}`;
}

/** Numbers of nets that a module does not have yet. */
function netsAfter({ netnames, cells }: JsonModule): () => number {
  let last = 1;
  const see = (bits: readonly Bit[]) => {
    for (const bit of bits) if (typeof bit === "number" && bit > last) last = bit;
  };
  for (const { bits } of Object.values(netnames)) see(bits);
  for (const { connections } of Object.values(cells))
    for (const bits of Object.values(connections)) see(bits);
  return () => ++last;
}

/** The nets of the two levels: themselves, or what their cells drive, which are added where there are none yet. */
function levelsIn({ cells }: JsonModule, sources: LevelCells | null, nextNet: () => number) {
  const netOf = ([type, output]: LevelCells["low"]): Bit => {
    const found = Object.values(cells).find((cell) => cell.type === type)?.connections[output]?.[0];
    if (found !== undefined) return found;
    const net = nextNet();
    cells[type] = jsonCell(
      { name: type, type, inputs: {}, outputs: { [output]: "level" } },
      () => net,
    );
    return net;
  };
  return new Map<string, Bit>([
    ["0", sources ? netOf(sources.low) : "0"],
    ["1", sources ? netOf(sources.high) : "1"],
  ]);
}

interface Surroundings {
  readonly levels: ReadonlyMap<string, Bit>;
  readonly nextNet: () => number;
  /** Is told what outputs of blanks become that are other nets. */
  readonly became: Map<Bit, Bit>;
}

/** The cells that stand in for a blank. */
function* placed(
  blank: JsonCell,
  { cells, wires }: Contents,
  { levels, nextNet, became }: Surroundings,
): Generator<readonly [name: string, cell: JsonCell]> {
  const nets = new Map(levels);
  for (const [port, bits] of Object.entries(blank.connections))
    for (const [at, bit] of bits.entries())
      nets.set(bits.length === 1 ? port : `${port}[${at}]`, bit);
  const netOf = (name: string) => {
    const net = nets.get(name) ?? nextNet();
    nets.set(name, net);
    return net;
  };
  for (const [port, sources] of Object.entries(wires))
    for (const [at, source] of [sources].flat().entries()) {
      const output = blank.connections[port]?.[at];
      if (output !== undefined) became.set(output, netOf(source));
    }
  for (const cell of cells) yield [cell.name, jsonCell(cell, netOf)];
}

function jsonCell(
  { type, parameters = {}, attributes = {}, inputs, outputs }: Cell,
  netOf: (name: string) => Bit,
): JsonCell & Readonly<Record<string, unknown>> {
  const textOf = (values: NonNullable<Cell["parameters"]>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, jsonParameter(value)]));
  const directions = (ports: Cell["inputs"], direction: string) =>
    Object.fromEntries(Object.keys(ports).map((port) => [port, direction]));
  return {
    hide_name: 0,
    type,
    parameters: textOf(parameters),
    attributes: textOf(attributes),
    port_directions: { ...directions(inputs, "input"), ...directions(outputs, "output") },
    connections: Object.fromEntries(
      Object.entries({ ...inputs, ...outputs }).map(([port, bits]) => [
        port,
        [bits].flat().map(netOf),
      ]),
    ),
  };
}

/** Nets that became others, everywhere they are named. */
function connect({ ports, cells, netnames }: JsonModule, became: ReadonlyMap<Bit, Bit>): void {
  const now = (bits: readonly Bit[]) =>
    bits.some((bit) => became.has(bit)) ? bits.map((bit) => became.get(bit) ?? bit) : bits;
  for (const port of Object.values(ports)) port.bits = now(port.bits);
  for (const net of Object.values(netnames)) net.bits = now(net.bits);
  for (const { connections } of Object.values(cells))
    for (const [port, bits] of Object.entries(connections)) connections[port] = now(bits);
}
