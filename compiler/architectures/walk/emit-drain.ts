import { widthFor } from "../../integer/range";
import { shiftWidth } from "../../verilog/memory";
import type { CoreLayout } from "./core-layout";
import { emitLoad } from "./emit-load";
import { choose } from "./emit-text";
import { sweepWidthOf } from "./emit-walk";
import { hasUsualFormats } from "./formats";
import { declareMemory, hasLifts, liftWidth } from "./memories";
import type { MapMemoryStyles } from "./memory-styles";
import type { Clamp } from "./sweep";

/** Sums leave one by one: bias, shift with rounding, clamp, pooling; then into the memory of maps, or the result. */
export function emitDrain(layout: CoreLayout, styles: MapMemoryStyles): string {
  const { sweeps, constants } = layout;
  const last = lastStageOf(layout);
  const sweepWidth = sweepWidthOf(layout);
  const perSweep = (values: readonly number[], bits: number) =>
    choose("sweep_4", sweepWidth, values, bits);
  const flag = (of: (sweep: (typeof sweeps)[number]) => boolean) =>
    perSweep(
      sweeps.map((sweep) => (of(sweep) ? 1 : 0)),
      1,
    );
  return `${emitHold(layout, flag)}${emitDelays(last)}${declareMemory(constants, styles.constants)}
  reg [${constants.width - 1}:0] constant_5, constant_6;
  always @(posedge clk) begin
    constant_5 <= constants[{group_4, lane_4}];
    constant_6 <= constant_5;
  end

${emitRequantise(layout, flag)}
${emitClamp(layout, { flag, perSweep })}
${emitTables(layout, styles.tables, { flag, perSweep })}${emitPool(layout, flag)}
${emitLoad(layout, last)}${emitWrites(layout, styles.result, perSweep)}`;
}

/** The cycle of a sum, counted from its window's last read, in which its value is written. */
const lastStageOf = ({ schedule }: CoreLayout): number => 12 + schedule.lookUp;

function emitHold(layout: CoreLayout, flag: Flag): string {
  const { lanes, sweeps, widths } = layout;
  const sweepWidth = sweepWidthOf(layout);
  const laneWidth = widthFor(lanes - 1);
  const countWidth = widthFor(lanes);
  const fulls = sweeps.map(({ groups }) => groups[0]?.outputs ?? lanes);
  const shorts = sweeps.map(({ groups }) => Math.min(...groups.map((group) => group.outputs)));
  return `  // ---- Drain: what belongs to the sums of a window is held while they leave, one in each cycle.

  reg active_4, opens_4, closes_4, pixel_4, end_4, alone_4;
  reg [${laneWidth - 1}:0] lane_4;
  reg [${countWidth - 1}:0] count_4;
  reg [${widths.group - 1}:0] group_4;
  reg [${sweepWidth - 1}:0] sweep_4;
${emitKept(layout)}\
  wire ends_group_4 = kept_4 & closes_4 & complete_4 & (place_4 == count_4 - ${countWidth}'d1);
  wire answers = ${flag((sweep) => sweep.answers)};
  always @(posedge clk) begin
    if (rst) active_4 <= 1'b0;
    else if (window_ends_3) active_4 <= 1'b1;
    else if (lane_4 == ${laneWidth}'d${lanes - 1}) active_4 <= 1'b0;
    if (window_ends_3) begin
      lane_4 <= ${laneWidth}'d0;
      alone_4 <= alone_3;
      group_4 <= group_3;
      sweep_4 <= sweep_3;
      opens_4 <= opens_3;
      closes_4 <= closes_3;
      pixel_4 <= pixel_3;
      end_4 <= end_3;
      count_4 <= short_3 ? ${choose("sweep_3", sweepWidth, shorts, countWidth)} : ${choose("sweep_3", sweepWidth, fulls, countWidth)};
    end else lane_4 <= lane_4 + ${laneWidth}'d1;
  end

`;
}

/** What goes along with a value until it is written. */
function emitDelays(last: number): string {
  const before = last - 1;
  const none = `${last - 4}'d0`;
  return `  reg [${last}:5] active, first, write, pixel, ends;
  always @(posedge clk) begin
    active <= rst ? ${none} : {active[${before}:5], active_4};
    first <= {first[${before}:5], opens_4};
    write <= rst ? ${none} : {write[${before}:5], kept_4 & closes_4};
    pixel <= rst ? ${none} : {pixel[${before}:5], ends_group_4 & pixel_4};
    ends <= rst ? ${none} : {ends[${before}:5], ends_group_4 & end_4};
  end

`;
}

function emitWrites(
  layout: CoreLayout,
  style: "block" | "logic",
  perSweep: OfSweep["perSweep"],
): string {
  const { sweeps, widths, outputs, resultBits } = layout;
  const last = lastStageOf(layout);
  const before = last - 1;
  const bases = sweeps.map((_, index) => sweeps[(index + 1) % sweeps.length]?.writes.base ?? 0);
  const skips = sweeps.map(({ writes }) => writes.skip);
  const skip = skips.some((each) => each !== 0)
    ? ` + (pixel[${last}] ? ${perSweep(skips, widths.address)} : ${widths.address}'d0)`
    : "";
  const resultWidth = widthFor(outputs);
  return `  // ---- Values go to the memory of maps or, from the last sweep, to the result.

  reg [${widths.address - 1}:0] write_address;
  always @(posedge clk) begin
    if (rst) write_address <= ${widths.address}'d${sweeps[0]?.writes.base ?? 0};
    else if (ends[${last}]) write_address <= ${perSweep(bases, widths.address)};
    else if (write[${last}]) write_address <= write_address + ${widths.address}'d1${skip};
  end

  (* ram_style = "${style}", no_rw_check *) reg [${resultBits - 1}:0] results [0:${outputs - 1}];
  reg [${resultWidth - 1}:0] result_end, result_index;
  reg [${resultBits - 1}:0] result;
  always @(posedge clk) begin
    result <= results[result_index];
    if (idle) result_end <= ${resultWidth}'d0;
    else if (write[${before}] & answers) begin
      results[result_end] <= ${finishedOf(layout)};
      result_end <= result_end + ${resultWidth}'d1;
    end
  end
`;
}

/** Which lanes hold sums that count. In pairs, both halves of the lanes begin with the first of them. */
function emitKept(layout: CoreLayout): string {
  const { lanes, sweeps, hasPairs } = layout;
  const width = widthFor(lanes - 1);
  if (!hasPairs) {
    return `  wire [${width - 1}:0] place_4 = lane_4;
  wire complete_4 = 1'b1;
  wire kept_4 = active_4 & (lane_4 < count_4);
`;
  }
  const half = lanes / 2;
  const pairs = sweeps.map(({ pair }) => (pair ? 1 : 0));
  return `  wire pair_4 = ${choose("sweep_4", sweepWidthOf(layout), pairs, 1)};
  wire second_4 = pair_4 & (lane_4 >= ${width}'d${half});
  wire [${width - 1}:0] place_4 = second_4 ? lane_4 - ${width}'d${half} : lane_4;
  wire complete_4 = second_4 | alone_4 | ~pair_4;
  wire kept_4 = active_4 & (place_4 < count_4) & ~(second_4 & alone_4);
`;
}

type Flag = (of: (sweep: CoreLayout["sweeps"][number]) => boolean) => string;

/** Constants chosen by the sweep whose sums leave. */
interface OfSweep {
  readonly flag: Flag;
  readonly perSweep: (values: readonly number[], bits: number) => string;
}

/** The signal with finished values, before pooling. */
const finishedOf = ({ tables }: CoreLayout): string => (tables ? "tap_table" : "tap_value");

/** Bias, and the shift with its rounding: values half way between two steps go up unless a sweep wants otherwise. */
function emitRequantise(layout: CoreLayout, flag: Flag): string {
  const { accumulatorWidth: width, sweeps, resultBits } = layout;
  const rounds = sweeps.some(({ clamp }) => clamp.rounding !== null);
  const lift = width + shiftWidth;
  const sum = hasLifts(sweeps)
    ? `(drain_0 <<< constant_6[${lift + liftWidth - 1}:${lift}])`
    : "drain_0";
  const declared = rounds ? emitRounding(flag) : "";
  const rounded = rounds
    ? `to_floor ? fine[${width}:1] : is_tie & to_odd ? {fine[${width}:2], 1'b1} : {nudged[${width}:2], nudged[1] & ~(is_tie & to_even)}`
    : `nudged[${width}:1]`;
  return `  // ---- Bias, shift right with rounding, clamp. One extra low bit carries the rounding.

  reg signed [${width - 1}:0] tap_accumulator;
  reg [${shiftWidth - 1}:0] shift_7;
  reg [1:0] shift_8;
  reg signed [${width}:0] coarse, fine;
  reg signed [${width - 1}:0] rounded;
  reg [${resultBits - 1}:0] tap_value;
  wire signed [${width}:0] doubled = {tap_accumulator, 1'b0};
  wire signed [${width}:0] nudged = fine + ${width + 1}'sd1;
${declared}  always @(posedge clk) begin
    tap_accumulator <= ${sum} + $signed(constant_6[${width - 1}:0]);
    shift_7 <= constant_6[${width + shiftWidth - 1}:${width}];
    coarse <= doubled >>> {shift_7[3:2], 2'b00};
    shift_8 <= shift_7[1:0];
    fine <= coarse >>> shift_8;
    rounded <= ${rounded};
  end`;
}

/** Whether bits that were shifted out were not all 0: then a value is not half way between two steps. */
function emitRounding(flag: Flag): string {
  return `  wire to_even = ${flag(({ clamp }) => clamp.rounding === "half-even")};
  wire to_odd = ${flag(({ clamp }) => clamp.rounding === "half-odd")};
  wire to_floor = ${flag(({ clamp }) => clamp.rounding === "floor")};
  reg lost_8, lost_9;
  always @(posedge clk) begin
    lost_8 <= (shift_7[3] & |doubled[7:0]) | (shift_7[2] & (shift_7[3] ? |doubled[11:8] : |doubled[3:0]));
    lost_9 <= lost_8 | (shift_8[1] & |coarse[1:0]) | (shift_8[0] & (shift_8[1] ? coarse[2] : coarse[0]));
  end
  wire is_tie = fine[0] & ~lost_9;
`;
}

/** Functions of single values: what was requantised is the address of its result. */
function emitTables(
  { tables, resultBits }: CoreLayout,
  style: "block" | "logic",
  { flag, perSweep }: OfSweep,
): string {
  if (!tables) return "";
  const { image, inputWidth, numberOf } = tables;
  const numberBits = Math.max(0, Math.ceil(Math.log2(image.depth)) - inputWidth);
  const number = numberBits > 0 ? `${perSweep(numberOf, numberBits)}, ` : "";
  const signed = flag(({ table }) => table?.signed === true);
  return `  // ---- Functions: requantised values are looked up.

${declareMemory(image, style)}
  reg [7:0] looked;
  reg [${resultBits - 1}:0] passed;
  always @(posedge clk) begin
    looked <= tables[{${number}tap_value[${inputWidth - 1}:0]}];
    passed <= tap_value;
  end
  wire looks_up = ${flag(({ table }) => table !== null)};
  wire looked_sign = looked[7] & ${signed};
  wire [${resultBits - 1}:0] tap_table = looks_up ? {{${resultBits - 8}{looked_sign}}, looked} : passed;

`;
}

/** Saturation to the format of the sweep: so many bits, with or without a sign; scores have 16. */
function emitClamp(layout: CoreLayout, { flag, perSweep }: OfSweep): string {
  if (!hasUsualFormats(layout)) return emitBounds(layout, perSweep);
  const { accumulatorWidth: width, hiddenWidth, sweeps } = layout;
  const top = width - 1;
  const inner = sweeps.filter(({ answers }) => !answers);
  const fits = (bits: number) => `(&rounded[${top}:${bits - 1}]) | ~(|rounded[${top}:${bits - 1}])`;
  const unsignedWidths = new Set(
    inner.filter(({ format }) => !format.signed).map(({ format }) => format.width),
  );
  const isNarrow = flag(
    (sweep) => !sweep.answers && !sweep.format.signed && sweep.format.width < hiddenWidth,
  );
  const narrowWidth = Math.min(...unsignedWidths, hiddenWidth);
  const clampTo = (bits: number) =>
    `(|rounded[${top - 1}:${bits}]) ? 16'd${2 ** bits - 1} : {${16 - bits}'d0, rounded[${bits - 1}:0]}`;
  const unsigned =
    narrowWidth < hiddenWidth
      ? `${isNarrow} ? (${clampTo(narrowWidth)}) : (${clampTo(hiddenWidth)})`
      : clampTo(hiddenWidth);
  return `  wire negative = rounded[${top}];
  wire fits_16 = ${fits(16)};
  wire fits = ${fits(hiddenWidth)};
  wire relu = ${flag((sweep) => sweep.relu)};
  wire unsigned_value = ${flag((sweep) => !sweep.format.signed)};
  always @(posedge clk) begin
    if ((relu | unsigned_value) & negative) tap_value <= 16'd0;
    else if (answers) tap_value <= fits_16 ? rounded[15:0] : {negative, {15{~negative}}};
    else if (unsigned_value) tap_value <= ${unsigned};
    else tap_value <= fits ? rounded[15:0] : {{${17 - hiddenWidth}{negative}}, {${hiddenWidth - 1}{~negative}}};
  end
`;
}

/** Saturation to the bounds of the sweep, whatever they are. */
function emitBounds(
  { accumulatorWidth: width, sweeps, resultBits }: CoreLayout,
  perSweep: OfSweep["perSweep"],
): string {
  const bits = Math.max(width, resultBits) + 1;
  const bound = (of: (clamp: Clamp) => number) =>
    perSweep(
      sweeps.map(({ clamp }) => of(clamp)),
      bits,
    );
  return `  wire signed [${bits - 1}:0] least = ${bound(({ min }) => min)};
  wire signed [${bits - 1}:0] most = ${bound(({ max }) => max)};
  wire signed [${bits - 1}:0] unbounded = rounded;
  always @(posedge clk) begin
    if (unbounded < least) tap_value <= least[${resultBits - 1}:0];
    else if (unbounded > most) tap_value <= most[${resultBits - 1}:0];
    else tap_value <= unbounded[${resultBits - 1}:0];
  end
`;
}

/** The largest value of each lane so far goes round in a ring, one place for each lane. */
function emitPool(layout: CoreLayout, flag: Flag): string {
  const { sweeps, lanes, schedule } = layout;
  const value = finishedOf(layout);
  const stage = 11 + schedule.lookUp;
  if (sweeps.every(({ nodes }) => nodes.pool === null)) {
    return `  reg [7:0] tap_pool;
  always @(posedge clk) tap_pool <= ${value}[7:0];
`;
  }
  const ring = Array.from({ length: lanes }, (_, lane) => `held_${lane}`);
  const moves = ring.map((name, lane) => `      ${name} <= ${ring[lane + 1] ?? "best"};`);
  return `  // ---- Pooling: the largest of the values of a window, lane by lane.

  reg [7:0] ${ring.join(", ")};
  reg [7:0] tap_pool;
  wire signed_values = ${flag((sweep) => sweep.format.signed)};
  wire [7:0] held = held_0;
  wire larger = {${value}[7] ^ signed_values, ${value}[6:0]} > {held[7] ^ signed_values, held[6:0]};
  wire [7:0] best = (first[${stage}] | larger) ? ${value}[7:0] : held;
  always @(posedge clk) begin
    tap_pool <= best;
    if (active[${stage}]) begin
${moves.join("\n")}
    end
  end
`;
}
