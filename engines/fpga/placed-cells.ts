import type { Family } from "@/boards";
import { fail } from "@/lib/common/errors";
import type { PlanHead, Products } from "../engine";
import { paths } from "./paths";
import { textOf } from "./read-products";
import { type Section, sectionFinder } from "./sections";

/** A cell of the routed design. */
export interface PlacedCell {
  readonly section: Section;
  /** Id of the report's resource it counts to; null for buffers, constants and the like. */
  readonly resource: string | null;
  readonly column: number;
  readonly row: number;
}

interface NetlistCell {
  readonly type: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly connections?: Readonly<Record<string, readonly (number | string)[]>>;
}

/** `X12/Y7/lc0` of iCE40, ECP5 and Nexus, `X12Y7/LUT0` of Gowin. */
const place = /^X(\d+)\/?Y(\d+)\//;
/** Nets with more users than this, such as clocks, join what does not belong together. */
const mostUsers = 6;

/**
 * The cells of the netlist that nextpnr writes after routing, each with its section. Cells whose names say nothing, such
 * as those that lead a carry into a chain, are in the section of their neighbours on the same nets.
 *
 * @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID`
 */
export function placedCells(plan: PlanHead, products: Products, family: Family): PlacedCell[] {
  const cells = Object.entries(netlistOf(textOf(products, paths.placed)));
  const sectionOf = sectionFinder(plan.sections ?? []);
  const sections = cells.map(([name]) => sectionOf(name));
  joinNeighbours(
    cells.map(([, cell]) => cell),
    sections,
  );
  const rest = sectionOf("");
  const resourceOf = resourceFinder(family);
  return cells.flatMap(([, { type, attributes }], index): PlacedCell[] => {
    const bel = attributes?.["NEXTPNR_BEL"];
    const [, column, row] = (typeof bel === "string" && place.exec(bel)) || [];
    const section = sections[index] ?? rest;
    if (column === undefined || !section) return [];
    return [{ section, resource: resourceOf(type), column: Number(column), row: Number(row) }];
  });
}

function netlistOf(text: string): Readonly<Record<string, NetlistCell>> {
  // Tens of thousands of cells: looked at where it is used, rather than copied by a schema.
  const invalid = (cause?: unknown) =>
    fail("OUTPUT_INVALID", `${paths.placed} is not the netlist that was expected.`, { cause });
  let netlist: { modules?: { top?: { cells?: Record<string, NetlistCell> } } } | null;
  try {
    netlist = JSON.parse(text) as typeof netlist;
  } catch (cause) {
    throw invalid(cause);
  }
  const cells = netlist?.modules?.top?.cells;
  if (!cells || typeof cells !== "object") throw invalid();
  return cells;
}

function resourceFinder({ resources }: Family): (type: string) => string | null {
  const found = new Map<string, string | null>();
  return (type) => {
    const known = found.get(type);
    if (known !== undefined) return known;
    const resource = resources.find(
      ({ keys, cellTypes }) => cellTypes?.test(type) || keys.includes(type),
    );
    found.set(type, resource?.id ?? null);
    return resource?.id ?? null;
  };
}

/** Fills in the sections that are not known yet, in as many rounds as it takes to follow a chain of such cells. */
function joinNeighbours(cells: readonly NetlistCell[], sections: (Section | null)[]): void {
  const users = usersOfNets(cells);
  let unknown = [...sections.keys()].filter((index) => sections[index] === null);
  for (let before = -1; unknown.length > 0 && unknown.length !== before; ) {
    before = unknown.length;
    const found = unknown.map((index) => {
      const votes = new Map<Section, number>();
      for (const net of netsOf(cells[index])) {
        const sharing = users.get(net) ?? [];
        for (const user of sharing.length <= mostUsers ? sharing : []) {
          const section = sections[user];
          if (section) votes.set(section, (votes.get(section) ?? 0) + 1);
        }
      }
      return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
    });
    for (const [at, index] of unknown.entries()) sections[index] = found[at] ?? null;
    unknown = unknown.filter((index) => sections[index] === null);
  }
}

const netsOf = (cell: NetlistCell | undefined): number[] =>
  Object.values(cell?.connections ?? {})
    .flat()
    .filter((net): net is number => typeof net === "number");

function usersOfNets(cells: readonly NetlistCell[]): Map<number, number[]> {
  const users = new Map<number, number[]>();
  for (const [index, cell] of cells.entries()) {
    for (const net of netsOf(cell)) {
      const known = users.get(net);
      if (known) known.push(index);
      else users.set(net, [index]);
    }
  }
  return users;
}
