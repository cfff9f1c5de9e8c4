import { widthFor } from "../../integer/range";
import type { CoreLayout } from "./core-layout";
import { choose } from "./emit-text";
import { declareMemory, type FieldName } from "./memories";
import { roles } from "./sweep";

/** Bits of the number of a sweep. */
export const sweepWidthOf = ({ sweeps }: CoreLayout): number => widthFor(sweeps.length - 1);

/**
 * The walk: counters of nested loops, the innermost first. In each step one loop goes on; `changes` says what that adds to
 * the address that is read, to the row of weights, to the group of constants and to the coordinates in the map.
 */
export function emitWalk(layout: CoreLayout): string {
  const { walk, sweeps, schedule, program, widths } = layout;
  const sweepWidth = sweepWidthOf(layout);
  const counts = walk.sweeps[0]?.counts ?? [];
  const levels = counts.length;
  const [windowLevels, poolLevels, groupLevels] = roles.map((role) => walk.levels[role]);
  const atWindow = windowLevels ?? 0;
  const atPool = atWindow + (poolLevels ?? 0);
  const atGroup = atPool + (groupLevels ?? 0);
  const levelBits = program.levelBits;
  const pauses = schedule.times.map(({ pause }) => pause);
  const pauseWidth = widthFor(Math.max(schedule.sweepPause, ...pauses));
  const ofSweep = (values: readonly number[], width: number) =>
    choose("sweep", sweepWidth, values, width);
  const turns = Array.from({ length: levels }, (_, level) => {
    const values = walk.sweeps.map((each) => (each.counts[level] ?? 1) - 1);
    const width = widthFor(Math.max(...values));
    return { width, text: ofSweep(values, width) };
  });
  const level = [...turns.keys()].map((at) => `~last_${at} ? ${levelBits}'d${at} : `).join("");
  const hasShort = sweeps.some(({ groups }) =>
    groups.some((each) => each.outputs !== groups[0]?.outputs),
  );
  const short = hasShort && atGroup > atPool ? `last_${atPool}` : "1'b0";

  const odd = sweeps.map(({ pair }) => (pair?.odd ? 1 : 0));
  const alone = odd.includes(1) ? `last_${atGroup} & ${ofSweep(odd, 1)}` : "1'b0";

  return `  // ---- Walk: which loop goes on.

  reg busy, reload;
  reg [${sweepWidth - 1}:0] sweep;
  reg [${pauseWidth - 1}:0] pause;
${turns.map(({ width }, at) => `  reg [${width - 1}:0] left_${at};\n  wire last_${at} = left_${at} == ${width}'d0;\n`).join("")}\
  wire ends_0 = 1'b1;
${turns.map((_, at) => `  wire ends_${at + 1} = ends_${at} & last_${at};\n`).join("")}\
  wire step = busy & ~(|pause);
  wire final_sweep = sweep == ${sweepWidth}'d${sweeps.length - 1};
  wire sweep_ends = step & ends_${levels};
  always @(posedge clk) begin
    reload <= rst | idle | sweep_ends;
    if (rst) begin
      busy <= 1'b0;
      sweep <= ${sweepWidth}'d0;
      pause <= ${pauseWidth}'d0;
    end else begin
      if (start) busy <= 1'b1;
      else if (sweep_ends & final_sweep) busy <= 1'b0;
      if (sweep_ends) sweep <= final_sweep ? ${sweepWidth}'d0 : sweep + ${sweepWidth}'d1;
      if (sweep_ends) pause <= ${pauseWidth}'d${schedule.sweepPause};
      else if (step) pause <= ends_${atWindow} ? ${ofSweep(pauses, pauseWidth)} : ${pauseWidth}'d0;
      else if (|pause) pause <= pause - ${pauseWidth}'d1;
    end
${turns.map(({ text, width }, at) => `    if (reload | (step & ends_${at + 1})) left_${at} <= ${text};\n    else if (step & ends_${at}) left_${at} <= left_${at} - ${width}'d1;\n`).join("")}\
  end

${emitStages(layout, { level, short, alone, atWindow, atPool, atGroup, levels })}${declareMemory(program.image, "logic")}
  reg [${program.image.width - 1}:0] change;
  always @(posedge clk) change <= changes[{sweep_1, level_1}];

${(["address", "row", "group"] as const).map((name) => emitRegister(layout, name)).join("")}\
  reg [${widths.group - 1}:0] group_3;
  always @(posedge clk) group_3 <= group;
${emitEdge(layout)}`;
}

interface StepSignals {
  /** Expressions: which level goes on, whether the group is short, whether its last pixel is alone. */
  readonly level: string;
  readonly short: string;
  readonly alone: string;
  /** The first level behind each role; all of them. */
  readonly atWindow: number;
  readonly atPool: number;
  readonly atGroup: number;
  readonly levels: number;
}

function emitStages(
  layout: CoreLayout,
  { level, short, alone, atWindow, atPool, atGroup, levels }: StepSignals,
): string {
  const { levelBits } = layout.program;
  const sweepWidth = sweepWidthOf(layout);
  return `  // ---- What goes along with a step: 1 its level, 2 addresses, 3 what was read.

  reg step_1, step_2, step_3, window_ends_1, window_ends_2, window_ends_3;
  reg [${levelBits - 1}:0] level_1;
  reg [${sweepWidth - 1}:0] sweep_1, sweep_2, sweep_3;
  reg opens, opens_1, opens_2, opens_3, closes_1, closes_2, closes_3;
  reg pixel_1, pixel_2, pixel_3, short_1, short_2, short_3, end_1, end_2, end_3;
  reg alone_1, alone_2, alone_3;
  always @(posedge clk) begin
    if (reload) opens <= 1'b1;
    else if (step & ends_${atWindow}) opens <= ends_${atPool};
    step_1 <= step & ~rst;
    step_2 <= step_1 & ~rst;
    step_3 <= step_2 & ~rst;
    window_ends_1 <= step & ends_${atWindow} & ~rst;
    window_ends_2 <= window_ends_1 & ~rst;
    window_ends_3 <= window_ends_2 & ~rst;
    level_1 <= ${level}${levelBits}'d${levels};
    {sweep_1, sweep_2, sweep_3} <= {sweep, sweep_1, sweep_2};
    {opens_1, opens_2, opens_3} <= {opens, opens_1, opens_2};
    {closes_1, closes_2, closes_3} <= {ends_${atPool}, closes_1, closes_2};
    {pixel_1, pixel_2, pixel_3} <= {ends_${atGroup}, pixel_1, pixel_2};
    {short_1, short_2, short_3} <= {${short}, short_1, short_2};
    {alone_1, alone_2, alone_3} <= {${alone}, alone_1, alone_2};
    {end_1, end_2, end_3} <= {ends_${levels}, end_1, end_2};
  end

`;
}

function emitRegister({ program, widths, start }: CoreLayout, name: FieldName): string {
  const width = widths[name];
  const { low, width: used } = program.fields[name];
  const first = BigInt.asUintN(width, BigInt(start[name]));
  const add =
    used > 0 ? `\n    else if (step_2) ${name} <= ${name} + change[${low + used - 1}:${low}];` : "";
  return `  reg [${width - 1}:0] ${name};
  always @(posedge clk) begin
    if (rst) ${name} <= ${width}'d${first};${add}
  end
`;
}

/** What lies outside of a map is not read: a constant takes its place. */
function emitEdge(layout: CoreLayout): string {
  const { sweeps, widths } = layout;
  if (sweeps.every(({ edge }) => edge === null)) {
    return "  wire outside_3 = 1'b0;\n  wire outside_second_3 = 1'b0;\n";
  }
  const sweepWidth = sweepWidthOf(layout);
  const beyond = (axis: "y" | "x", name: string) => {
    const top = widths[axis] - 1;
    const sizes = sweeps.map(({ edge }) => (axis === "y" ? edge?.height : edge?.width) ?? 1);
    return `${name}[${top}] | (${name}[${top - 1}:0] >= ${choose("sweep_2", sweepWidth, sizes, top)})`;
  };
  // Without an edge the coordinates stay 0, for the second pixel too.
  const steps = sweeps.map(({ pair, edge }) => (edge ? (pair?.x ?? 0) : 0));
  const second = layout.hasPairs
    ? `  wire [${widths.x - 1}:0] second_x = x + ${choose("sweep_2", sweepWidth, steps, widths.x)};
  reg outside_second_3;
  always @(posedge clk) outside_second_3 <= ${beyond("y", "y")} | ${beyond("x", "second_x")};
`
    : "";
  return `${emitRegister(layout, "y")}${emitRegister(layout, "x")}\
  reg outside_3;
  always @(posedge clk) outside_3 <= ${beyond("y", "y")} | ${beyond("x", "x")};
${second}`;
}
