import type { IntegerGraph } from "../../integer/integer-graph";
import { widthFor } from "../../integer/range";
import { declareMemory, type MemoryImage } from "../../verilog/memory";
import { type Field, programOf } from "./program";
import type { Schedule } from "./schedule";

/** What steps through the groups of a schedule: its table, and how wide its registers are, in bits. */
export interface Issue {
  readonly program: MemoryImage;
  readonly fields: readonly Field[];
  /** What a group says about its values, by place in the register that keeps it. */
  readonly flags: readonly Field[];
  readonly flagWidth: number;
  readonly countWidth: number;
  /** Of an address of the activations. */
  readonly addressWidth: number;
  /** Of a row of the weight memories. */
  readonly rowWidth: number;
  readonly groupWidth: number;
  /** Activations of even layers lie below this address, those of odd ones from it on. */
  readonly evenRegion: number;
}

/** What a group says about its values, in the order of the register that keeps it. */
const flagNames: ReadonlySet<string> = new Set(
  "writes_odd opens relu answers tabled image offset".split(" "),
);

/** The program of a schedule and the registers that it needs. */
export function issueOf(graph: IntegerGraph, schedule: Schedule): Issue {
  const { image: program, fields } = programOf(graph, schedule);
  const { evenRegion, oddRegion, weightRows, groups } = schedule;
  const flags = flagsOf(fields);
  const addresses = Math.max(evenRegion + oddRegion, graph.input.size, graph.output.size);
  return {
    program,
    fields,
    flags,
    flagWidth: flags.reduce((sum, flag) => sum + flag.width, 0),
    countWidth: fieldOf(fields, "count").width,
    addressWidth: widthFor(addresses),
    rowWidth: widthFor(weightRows),
    groupWidth: widthFor(groups.length),
    evenRegion,
  };
}

/** Prints the table of groups, and what reads one input and one word of weights in each cycle. */
export function emitIssue(issue: Issue): string {
  return `${emitProgram(issue)}${emitRegisters(issue)}${emitSteps(issue)}`;
}

function emitProgram({ program, groupWidth }: Issue): string {
  return `  // ---- Program: one entry per group of outputs.

  reg [${groupWidth - 1}:0] group;
  reg [${program.width - 1}:0] entry;
${declareMemory(program, "logic")}
  always @(posedge clk) entry <= ${program.name}[group];

`;
}

function emitRegisters({ fields, flags, flagWidth, countWidth, ...issue }: Issue): string {
  const { addressWidth, rowWidth } = issue;
  const { width: pauseWidth } = fieldOf(fields, "pause");
  const { width: lengthWidth } = fieldOf(fields, "length");
  return `  // ---- Issue: one input and one word of weights per cycle.

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

`;
}

function emitSteps({
  fields,
  flags,
  groupWidth,
  addressWidth,
  rowWidth,
  evenRegion,
}: Issue): string {
  const slice = (name: string) => {
    const { low, width } = fieldOf(fields, name);
    return `entry[${low + width - 1}:${low}]`;
  };
  const flagValues = flags.map(({ name }) =>
    name === "writes_odd" ? `~${slice("reads_odd")}` : slice(name),
  );
  const { width: pauseWidth } = fieldOf(fields, "pause");
  const { width: lengthWidth } = fieldOf(fields, "length");
  return `  always @(posedge clk) begin
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

`;
}

function fieldOf(fields: readonly Field[], name: string): Field {
  const found = fields.find((candidate) => candidate.name === name);
  if (!found) throw new RangeError(`No field ${name}.`);
  return found;
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
