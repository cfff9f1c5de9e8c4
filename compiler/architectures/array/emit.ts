import type { IntegerGraph } from "../../integer/integer-graph";
import { widthFor } from "../../integer/range";
import { corePorts } from "../../verilog/core-ports";
import { declareMemory, type MemoryImage } from "../../verilog/memory";
import { resize } from "../../verilog/resize";
import { emitRowIn } from "../../verilog/row-in";
import { emitAnswer } from "./emit-answer";
import { emitDrain } from "./emit-drain";
import { emitIssue, type Issue, issueOf } from "./emit-issue";
import { emitLanes, emitMultiply } from "./emit-lanes";
import { constantsMemory, weightMemories } from "./memories";
import type { LaneMultipliers } from "./multipliers";
import type { Schedule } from "./schedule";
import { accumulatorWidthOf, hiddenWidthOf } from "./stages";
import { tablesMemory } from "./tables";

/** What a part has for a core: which of the small memories take block RAM (the others become cells), and what multiplies. */
export interface CoreStyles {
  readonly constants: "block" | "logic";
  readonly result: "block" | "logic";
  readonly multipliers: LaneMultipliers;
}

/**
 * Prints the module `core`: one array of multiply-accumulate lanes that runs every layer of the graph in turn.
 * Deterministic: equal graphs and schedules give equal text. The page `docs/compiler.md` explains the structure.
 */
export function emitCore(graph: IntegerGraph, schedule: Schedule, styles: CoreStyles): string {
  const { lanes, evenRegion, oddRegion } = schedule;
  const width = accumulatorWidthOf(graph);
  const issue = issueOf(graph, schedule);
  const { flags, countWidth, addressWidth } = issue;
  const inputs = graph.input.size;
  const outputs = graph.output.size;
  const choice = { lanes, width, ...styles.multipliers };
  const shape = {
    width,
    hidden: hiddenWidthOf(graph),
    countWidth,
    addressWidth,
    evenRegion,
    outputs,
    flags,
    tables: tablesMemory(graph),
  };
  const memories = { inputs, depth: evenRegion + oddRegion, addressWidth };

  return `// One array of ${lanes} multiply-accumulate lanes runs the layers ${sizes(schedule)} in turn.
// The weights lie below in the order in which they are used. See docs/compiler.md.

${emitMultiply(choice)}
${corePorts("reg")}
${emitRowIn(inputs, { start: true })}
${emitIssue(issue)}${emitActivations(memories)}${emitWeights(weightMemories(graph, schedule))}
${emitStageFlags(issue)}  // ---- Lanes: multiply, accumulate; the finished sums move into the drain register.

${emitLanes(choice)}
${emitDrain(shape, constantsMemory(graph), styles)}${emitAnswer(outputs, schedule.answerWait)}`;
}

interface Activations {
  /** Values of a row. */
  readonly inputs: number;
  /** Words of the memory. */
  readonly depth: number;
  readonly addressWidth: number;
}

function emitActivations({ inputs, depth, addressWidth }: Activations): string {
  return `  // ---- Memories of activations and weights; what is read goes straight into the lanes' registers.

  (* ram_style = "block", no_rw_check *) reg [7:0] activations [0:${depth - 1}];
  reg signed [7:0] activation;
  wire write_enable;
  wire [${addressWidth - 1}:0] write_address;
  wire [7:0] write_data;
  wire [${addressWidth - 1}:0] in_index_address = ${resize("in_index", widthFor(inputs), addressWidth)};
  always @(posedge clk) begin
    activation <= activations[read_address];
    if (write_enable) activations[write_address] <= write_data;
  end

`;
}

function emitWeights(memories: readonly MemoryImage[]): string {
  return memories
    .map(
      (memory) => `${declareMemory(memory, "block")}
  reg [${memory.width - 1}:0] ${memory.name}_word;
  always @(posedge clk) ${memory.name}_word <= ${memory.name}[weight_row];
`,
    )
    .join("\n");
}

function emitStageFlags({ countWidth, flagWidth }: Issue): string {
  return `  // ---- Stage flags: 1 memories read, 2 operands held, 3 products.

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

`;
}

function sizes({ layers }: Schedule): string {
  const first = layers[0]?.inputSize ?? 0;
  return [first, ...layers.map(({ outputSize }) => outputSize)].join("-");
}
