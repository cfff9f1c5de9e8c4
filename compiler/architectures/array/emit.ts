import type { IntegerGraph } from "../../integer/integer-graph";
import { widthFor } from "../../integer/range";
import { corePorts } from "../../verilog/core-ports";
import { declareMemory } from "../../verilog/memory";
import { resize } from "../../verilog/resize";
import { emitRowIn } from "../../verilog/row-in";
import { emitAnswer } from "./emit-answer";
import { emitDrain } from "./emit-drain";
import { emitLanes, emitMultiply } from "./emit-lanes";
import { constantsMemory, weightMemories } from "./memories";
import type { LaneMultipliers } from "./multipliers";
import { type Field, programOf } from "./program";
import type { Schedule } from "./schedule";
import { accumulatorWidthOf, hiddenWidthOf } from "./stages";
import { tablesMemory } from "./tables";

/** What a part has for a core: which of the small memories take block RAM (the others become cells), and what multiplies. */
export interface CoreStyles {
  readonly constants: "block" | "logic";
  readonly result: "block" | "logic";
  readonly multipliers: LaneMultipliers;
}

/** What a group says about its values, in the order of the register that keeps it. */
const flagNames: ReadonlySet<string> = new Set(
  "writes_odd opens relu answers tabled image offset".split(" "),
);

/**
 * Prints the module `core`: one array of multiply-accumulate lanes that runs every layer of the graph in turn.
 * Deterministic: equal graphs and schedules give equal text. The page `docs/compiler.md` explains the structure.
 */
export function emitCore(graph: IntegerGraph, schedule: Schedule, styles: CoreStyles): string {
  const { lanes, evenRegion, oddRegion, groups } = schedule;
  const width = accumulatorWidthOf(graph);
  const hidden = hiddenWidthOf(graph);
  const weights = weightMemories(graph, schedule);
  const constants = constantsMemory(graph);
  const { image: program, fields } = programOf(graph, schedule);
  const depth = evenRegion + oddRegion;
  const inputs = graph.input.size;
  const outputs = graph.output.size;

  const inputWidth = widthFor(inputs);
  const addressWidth = widthFor(Math.max(depth, inputs, outputs));
  const rowWidth = widthFor(schedule.weightRows);
  const groupWidth = widthFor(groups.length);
  const field = (name: string) => {
    const found = fields.find((candidate) => candidate.name === name);
    if (!found) throw new RangeError(`No field ${name}.`);
    return found;
  };
  const slice = (name: string) => {
    const { low, width: bits } = field(name);
    return `entry[${low + bits - 1}:${low}]`;
  };
  const flags = flagsOf(fields);
  const flagWidth = flags.reduce((sum, flag) => sum + flag.width, 0);
  const flagValues = flags.map(({ name }) =>
    name === "writes_odd" ? `~${slice("reads_odd")}` : slice(name),
  );
  const choice = { lanes, width, ...styles.multipliers };
  const pauseWidth = field("pause").width;
  const lengthWidth = field("length").width;
  const countWidth = field("count").width;

  return `// One array of ${lanes} multiply-accumulate lanes runs the layers ${sizes(schedule)} in turn.
// The weights lie below in the order in which they are used. See docs/compiler.md.

${emitMultiply(choice)}
${corePorts("reg")}
${emitRowIn(inputs, { start: true })}
  // ---- Program: one entry per group of outputs.

  reg [${groupWidth - 1}:0] group;
  reg [${program.width - 1}:0] entry;
${declareMemory(program, "logic")}
  always @(posedge clk) entry <= ${program.name}[group];

  // ---- Issue: one input and one word of weights per cycle.

  reg busy;
  reg [${pauseWidth - 1}:0] pause;
  reg [${lengthWidth - 1}:0] remaining;
  reg [${addressWidth - 1}:0] read_address;
  reg [${rowWidth - 1}:0] weight_row;
  reg [${countWidth - 1}:0] group_count;
  reg group_ends;
  reg [${flagWidth - 1}:0] group_flags; // ${flags.map(({ name }) => name).join(", ")}, from bit 0
  // Both count down and are done when they are negative.
  wire issue = busy & pause[${pauseWidth - 1}];
  wire issue_last = issue & remaining[${lengthWidth - 1}];
  wire load = start | (issue_last & ~group_ends);

  always @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      group <= ${groupWidth}'d0;
    end else if (load) begin
      busy <= 1'b1;
      group <= ${slice("ends")} ? ${groupWidth}'d0 : group + ${groupWidth}'d1;
    end else if (issue_last) busy <= 1'b0;

    if (load) begin
      pause <= ${slice("pause")};
      remaining <= ${slice("length")};
      read_address <= ${slice("reads_odd")} ? ${addressWidth}'d${evenRegion} : ${addressWidth}'d0;
      group_count <= ${slice("count")};
      group_ends <= ${slice("ends")};
      group_flags <= {${flagValues.reverse().join(", ")}};
    end else if (issue) begin
      remaining <= remaining - ${lengthWidth}'d1;
      read_address <= read_address + ${addressWidth}'d1;
    end else pause <= pause - ${pauseWidth}'d1;

    if (idle) weight_row <= ${rowWidth}'d0;
    else if (issue) weight_row <= weight_row + ${rowWidth}'d1;
  end

  // ---- Memories of activations and weights; what is read goes straight into the lanes' registers.

  (* ram_style = "block", no_rw_check *) reg [7:0] activations [0:${depth - 1}];
  reg signed [7:0] activation;
  wire write_enable;
  wire [${addressWidth - 1}:0] write_address;
  wire [7:0] write_data;
  wire [${addressWidth - 1}:0] in_index_address = ${resize("in_index", inputWidth, addressWidth)};
  always @(posedge clk) begin
    activation <= activations[read_address];
    if (write_enable) activations[write_address] <= write_data;
  end

${weights.map((memory) => `${declareMemory(memory, "block")}\n  reg [${memory.width - 1}:0] ${memory.name}_word;\n  always @(posedge clk) ${memory.name}_word <= ${memory.name}[weight_row];\n`).join("\n")}
  // ---- Stage flags: 1 memories read, 2 operands held, 3 products.

  reg valid_1, valid_2, last_1, last_2;
  reg accumulate, clear, deliver;
  reg [${countWidth - 1}:0] count_1;
  reg [${flagWidth - 1}:0] flags_1;
  always @(posedge clk) begin
    valid_1 <= issue & ~rst;
    last_1 <= issue_last & ~rst;
    count_1 <= group_count;
    flags_1 <= group_flags;
    valid_2 <= valid_1 & ~rst;
    last_2 <= last_1 & ~rst;
    accumulate <= valid_2 | idle;
    clear <= last_2 | idle;
    deliver <= last_2;
  end

  // ---- Lanes: multiply, accumulate; the finished sums move into the drain register.

${emitLanes(choice)}
${emitDrain(
  {
    width,
    hidden,
    countWidth,
    addressWidth,
    evenRegion,
    outputs,
    flags,
    tables: tablesMemory(graph),
  },
  constants,
  styles,
)}${emitAnswer(outputs, schedule.answerWait)}`;
}

/** The flags among a program's fields. */
function flagsOf(fields: readonly Field[]): Field[] {
  let low = 0;
  const named = [{ name: "writes_odd", low: 0, width: 1 }, ...fields];
  return named
    .filter(({ name }) => flagNames.has(name))
    .map(({ name, width }) => {
      const flag = { name, low, width };
      low += width;
      return flag;
    });
}

function sizes({ layers }: Schedule): string {
  const first = layers[0]?.inputSize ?? 0;
  return [first, ...layers.map(({ outputSize }) => outputSize)].join("-");
}
