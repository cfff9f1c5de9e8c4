import type { MachineDrawing } from "@/lib/common/contract";

/** Pixels of the picture: it scrolls where the page is narrower. */
const sizes = {
  column: 190,
  margin: 64,
  header: 28,
  row: { least: 6, most: 34 },
  height: { least: 150, most: 760 },
  radius: { least: 2.5, most: 13 },
} as const;

/** From this radius on a number fits into a processor. */
const labelledRadius = 10;

/** A column of the picture: the inputs, or a layer's processors. */
export interface MachineColumn {
  readonly title: string;
  readonly x: number;
  /** Where each of its places is, from above. */
  readonly ys: readonly number[];
}

/** Where everything in the picture of a machine is. */
export interface MachineLayout {
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  /** Whether processors are large enough for their numbers. */
  readonly isLabelled: boolean;
  readonly columns: readonly MachineColumn[];
}

/** Lays a machine out: the inputs, then a column for each layer. The most crowded column decides how large everything is. */
export function layoutOf({
  inputs,
  layers,
}: Pick<MachineDrawing, "inputs" | "layers">): MachineLayout {
  const counts = [inputs, ...layers.map(({ processors }) => processors.length)];
  const most = Math.max(...counts);
  const { row, height: limit, radius: round } = sizes;
  const step = Math.min(row.most, Math.max(row.least, limit.most / most));
  const inner = Math.max(limit.least, most * step);
  const radius = Math.min(round.most, Math.max(round.least, step * 0.4));
  return {
    width: 2 * sizes.margin + (counts.length - 1) * sizes.column,
    height: sizes.header + inner,
    radius,
    isLabelled: radius >= labelledRadius,
    columns: counts.map((count, column) => ({
      title: column === 0 ? "inputs" : (layers[column - 1]?.name ?? ""),
      x: sizes.margin + column * sizes.column,
      ys: Array.from(
        { length: count },
        (_, place) => sizes.header + ((place + 0.5) * inner) / count,
      ),
    })),
  };
}
