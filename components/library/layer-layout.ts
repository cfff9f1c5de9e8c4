import type { LayerGraph } from "@/lib/common/contract";

/** Sizes of the picture, in its own units. */
export const boxSize = { width: 192, height: 46, gapX: 24, gapY: 30, edge: 16 } as const;

/** A box of the picture: a layer, or one of the model's inputs. */
export interface Box {
  /** Place among the layers, or −1 − the place among the inputs. */
  readonly index: number;
  /** How many steps it is from the inputs. */
  readonly rank: number;
  /** Left upper corner. */
  readonly x: number;
  readonly y: number;
}

/** A line from one box to another that reads what it makes. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  /** As SVG has it. */
  readonly path: string;
}

export interface LayerLayout {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

/**
 * Where the layers of a model are drawn, from its inputs down: each below all that it reads, those of equal depth side by side.
 * Layers come in an order in which each is behind what it reads.
 */
export function layOutLayers({ layers }: Pick<LayerGraph, "layers">, inputs: number): LayerLayout {
  const ranks = new Map<number, number>();
  for (let input = 0; input < inputs; input++) ranks.set(-1 - input, 0);
  for (const [index, { from }] of layers.entries()) {
    ranks.set(index, 1 + Math.max(0, ...from.map((source) => ranks.get(source) ?? 0)));
  }
  const rows: number[][] = [];
  for (const [index, rank] of ranks) {
    const row = rows[rank] ?? [];
    rows[rank] = [...row, index];
  }
  const centres = new Map<number, number>();
  const wide = Math.max(1, ...rows.map((row) => row.length));
  const step = boxSize.width + boxSize.gapX;
  const sourcesOf = (index: number) => layers[index]?.from ?? [];
  // Below what they read, as far as their neighbours leave room.
  for (const row of rows) {
    const wish = new Map(
      row.map((index, place) => {
        const above = sourcesOf(index).flatMap((source) => centres.get(source) ?? []);
        const mean = above.reduce((sum, x) => sum + x, 0) / Math.max(1, above.length);
        return [index, above.length > 0 ? mean : place];
      }),
    );
    row.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a - b);
    const first = (wide - row.length) / 2;
    for (const [place, index] of row.entries()) centres.set(index, (first + place) * step);
  }
  const boxes = [...ranks].map(
    ([index, rank]): Box => ({
      index,
      rank,
      x: boxSize.edge + (centres.get(index) ?? 0),
      y: boxSize.edge + rank * (boxSize.height + boxSize.gapY),
    }),
  );
  const byIndex = new Map(boxes.map((box) => [box.index, box]));
  const edges = layers.flatMap(({ from }, to) =>
    from.flatMap((source): Edge[] => {
      const [above, below] = [byIndex.get(source), byIndex.get(to)];
      return above && below ? [{ from: source, to, path: pathBetween(above, below) }] : [];
    }),
  );
  const bend = Math.max(0, ...edges.map(({ from, to }) => bendOf(ranks, from, to)));
  return {
    boxes,
    edges,
    width: 2 * boxSize.edge + wide * step - boxSize.gapX + bend,
    height: 2 * boxSize.edge + rows.length * (boxSize.height + boxSize.gapY) - boxSize.gapY,
  };
}

const bendOf = (ranks: ReadonlyMap<number, number>, from: number, to: number): number => {
  const steps = (ranks.get(to) ?? 0) - (ranks.get(from) ?? 0);
  return steps > 1 ? bendPast(steps) : 0;
};

const bendPast = (steps: number): number => 16 + 10 * Math.min(steps, 8);

/** Straight down to the next row; past other rows in a bow at the right. */
function pathBetween(above: Box, below: Box): string {
  const steps = below.rank - above.rank;
  if (steps <= 1) {
    const x1 = above.x + boxSize.width / 2;
    const x2 = below.x + boxSize.width / 2;
    const y1 = above.y + boxSize.height;
    const middle = (y1 + below.y) / 2;
    return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${below.y}`;
  }
  const [x1, x2] = [above.x + boxSize.width, below.x + boxSize.width];
  const [y1, y2] = [above.y + boxSize.height / 2, below.y + boxSize.height / 2];
  const far = Math.max(x1, x2) + (4 / 3) * bendPast(steps);
  return `M${x1} ${y1}C${far} ${y1} ${far} ${y2} ${x2} ${y2}`;
}

/** The box that an arrow key leads to from another one; itself where there is none that way. */
export function neighbourOf(
  { boxes, edges }: Pick<LayerLayout, "boxes" | "edges">,
  index: number,
  key: string,
): number {
  const here = boxes.find((box) => box.index === index);
  if (!here) return index;
  const row = boxes.filter(({ rank }) => rank === here.rank).toSorted((a, b) => a.x - b.x);
  const place = row.indexOf(here);
  const nextRow = (rank: number) => boxes.find((box) => box.rank === rank)?.index;
  const found: Readonly<Record<string, number | undefined>> = {
    ArrowDown: edges.find(({ from }) => from === index)?.to ?? nextRow(here.rank + 1),
    ArrowUp: edges.find(({ to }) => to === index)?.from ?? nextRow(here.rank - 1),
    ArrowLeft: row[place - 1]?.index,
    ArrowRight: row[place + 1]?.index,
    Home: boxes.toSorted((a, b) => a.rank - b.rank || a.x - b.x)[0]?.index,
    End: boxes.toSorted((a, b) => b.rank - a.rank || a.x - b.x)[0]?.index,
  };
  return found[key] ?? index;
}
