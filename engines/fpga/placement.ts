import { getBoardModel, getFamily } from "@/boards";
import { type Placement, type SectionUse, type TileKind, tileKinds } from "@/lib/common/contract";
import type { PlanHead } from "../engine";
import type { PlacedCell } from "./placed-cells";
import type { Section } from "./sections";

/** Resources that have a look of their own in the picture; all that is left is `other`. */
const kindOf: Readonly<Record<string, TileKind>> = {
  lut: "logic",
  ff: "logic",
  bram: "ram",
  dsp: "dsp",
  io: "io",
};

/** Where on the chip the cells of each section lie; null where a vendor's tool placed them. */
export function placementOf(plan: PlanHead, cells: readonly PlacedCell[]): Placement | null {
  const { part } = getBoardModel(plan.boardModel);
  const grid = getFamily(part).grid?.(part);
  if (!grid) return null;
  const sections = sectionsIn(plan, cells);
  const counts = new Map<string, { readonly tile: readonly number[]; cells: number }>();
  for (const { section, resource, column, row } of cells) {
    const kind = tileKinds.indexOf(kindOf[resource ?? ""] ?? "other");
    const tile = [column, row, sections.indexOf(section), kind];
    const known = counts.get(tile.join());
    if (known) known.cells += 1;
    else counts.set(tile.join(), { tile, cells: 1 });
  }
  return {
    schemaVersion: 1,
    ...grid,
    sections,
    tiles: [...counts.values()]
      .sort(({ tile: a }, { tile: b }) => inOrder(a, b))
      .flatMap(({ tile, cells: count }) => [...tile, count]),
  };
}

/** What each section takes of the report's resources, in the order of the plan. */
export function sectionUses(plan: PlanHead, cells: readonly PlacedCell[]): SectionUse[] {
  return sectionsIn(plan, cells).map((section) => {
    const uses: Record<string, number> = {};
    for (const cell of cells) {
      if (cell.section !== section || cell.resource === null) continue;
      uses[cell.resource] = (uses[cell.resource] ?? 0) + 1;
    }
    return { ...section, uses };
  });
}

/** Sections that have cells, in the order of the rules. */
function sectionsIn({ sections = [] }: PlanHead, cells: readonly PlacedCell[]): Section[] {
  const used = new Map(cells.map(({ section }) => [section.id, section]));
  const ids = new Set(sections.map(({ id }) => id));
  return [...ids].flatMap((id) => used.get(id) ?? []);
}

function inOrder(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
