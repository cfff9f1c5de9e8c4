import { type Placement, type TileKind, tileKinds } from "@/lib/common/contract";

/** What lies in one tile of a chip, the section with most cells first. */
export interface Tile {
  readonly column: number;
  readonly row: number;
  readonly shares: readonly {
    /** Id of the section. */
    readonly section: string;
    readonly kind: TileKind;
    readonly cells: number;
  }[];
}

/** The used tiles of a placement by `column,row`, in reading order. */
export function tilesOf({ tiles, sections }: Placement): ReadonlyMap<string, Tile> {
  const found = new Map<string, { -readonly [Key in keyof Tile]: Tile[Key] }>();
  for (let at = 0; at + 4 < tiles.length; at += 5) {
    const [column = 0, row = 0, section = 0, kind = 0, cells = 0] = tiles.slice(at, at + 5);
    const key = tileKey(column, row);
    const tile = found.get(key) ?? { column, row, shares: [] };
    const share = {
      section: sections[section]?.id ?? "",
      kind: tileKinds[kind] ?? "other",
      cells,
    };
    tile.shares = [...tile.shares, share].sort((a, b) => b.cells - a.cells);
    found.set(key, tile);
  }
  return new Map([...found].sort(([, a], [, b]) => a.row - b.row || a.column - b.column));
}

export const tileKey = (column: number, row: number): string => `${column},${row}`;

const gap = 0.12;
const text = (value: number): string => String(Math.round(value * 100) / 100);

/**
 * The shapes of each section as one path: a square for each tile, cut into strips where sections share one. Memories and
 * multipliers, which are several tiles high, are drawn at the tile the tools name.
 */
export function pathsOf(tiles: Iterable<Tile>): ReadonlyMap<string, string> {
  const paths = new Map<string, string[]>();
  for (const { column, row, shares } of tiles) {
    const total = shares.reduce((sum, { cells }) => sum + cells, 0);
    let top = row + gap / 2;
    for (const { section, cells } of shares) {
      const height = ((1 - gap) * cells) / total;
      const shape = `M${text(column + gap / 2)} ${text(top)}h${text(1 - gap)}v${text(height)}h${text(gap - 1)}z`;
      const known = paths.get(section);
      if (known) known.push(shape);
      else paths.set(section, [shape]);
      top += height;
    }
  }
  return new Map([...paths].map(([section, shapes]) => [section, shapes.join("")]));
}

/** The used tile that an arrow key leads to: the nearest one on that side, straight ones before slanted ones. */
export function neighbour(
  tiles: Iterable<Tile>,
  from: Pick<Tile, "column" | "row">,
  [columns, rows]: readonly [columns: -1 | 0 | 1, rows: -1 | 0 | 1],
): Tile | null {
  let best: Tile | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const tile of tiles) {
    const [across, down] = [tile.column - from.column, tile.row - from.row];
    const ahead = across * columns + down * rows;
    const aside = Math.abs(across * rows) + Math.abs(down * columns);
    if (ahead <= 0 || ahead + 3 * aside >= least) continue;
    least = ahead + 3 * aside;
    best = tile;
  }
  return best;
}
