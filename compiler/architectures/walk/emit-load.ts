import { widthFor } from "../../integer/range";
import type { CoreLayout } from "./core-layout";
import { choose } from "./emit-text";
import { sweepWidthOf } from "./emit-walk";
import { startsOf } from "./plan-walk";

/** Whether some sweep leaves the weights of another. */
export const hasLoads = ({ sweeps }: Pick<CoreLayout, "sweeps">): boolean =>
  sweeps.some(({ loads }) => loads !== null);

/**
 * Values that are the weights of a later sweep: those of one group of sums make a row, two lanes a word. A word is written
 * with each value, so that the last one may stand alone in it.
 *
 * @param last The stage of the drain in which values are written.
 */
export function emitLoad(layout: CoreLayout, last: number): string {
  const { sweeps, lanes, widths } = layout;
  if (!hasLoads(layout)) return "";
  const starts = startsOf(sweeps);
  const rowOf = (index: number) => {
    const { loads = null } = sweeps[index % sweeps.length] ?? {};
    return loads === null ? 0 : (starts[loads]?.row ?? 0);
  };
  const sweepWidth = sweepWidthOf(layout);
  const laneWidth = widthFor(lanes - 1);
  const isLoad = sweeps.map(({ loads }) => (loads === null ? 0 : 1));
  const nextRows = sweeps.map((_, index) => rowOf(index + 1));
  return `  // ---- Values that are the weights of a later sweep: a row for each group of sums.

  wire loads = ${choose("sweep_4", sweepWidth, isLoad, 1)};
  wire load = write[${last}] & loads;
  reg [${last}:5] grouped;
  reg [${widths.row - 1}:0] load_row;
  reg [${laneWidth - 1}:0] load_lane;
  reg [7:0] load_held;
  wire [7:0] load_low = load_lane[0] ? load_held : tap_pool;
  always @(posedge clk) begin
    grouped <= rst ? ${last - 4}'d0 : {grouped[${last - 1}:5], ends_group_4};
    if (rst) load_row <= ${widths.row}'d${rowOf(0)};
    else if (ends[${last}]) load_row <= ${choose("sweep_4", sweepWidth, nextRows, widths.row)};
    else if (load & grouped[${last}]) load_row <= load_row + ${widths.row}'d1;
    if (rst | idle) load_lane <= ${laneWidth}'d0;
    else if (load) load_lane <= grouped[${last}] ? ${laneWidth}'d0 : load_lane + ${laneWidth}'d1;
    if (load) load_held <= tap_pool;
  end

`;
}
