import type { FamilyCosts } from "@/boards";
import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { type BitVector, bitsOf, literal } from "./bit-vector";
import { emitRegisters } from "./emit-registers";
import { emitSignal } from "./emit-signal";
import { type Network, resultsOf, type Value } from "./network";
import { type Printed, vectorAt } from "./network-text";
import { operandForms } from "./operand-forms";
import type { Pipeline } from "./pipeline";
import { tapWires } from "./taps";

/**
 * Prints the module `network`: `clk`, the row as `x0`, `x1`, …, the answer as `y0`, `y1`, …, both two's complement. A row
 * may come in every cycle; its answer stands `outputCycle` cycles later. There is no stall, no reset, no valid bit.
 */
export function emitNetwork(
  graph: IntegerGraph,
  network: Network,
  pipeline: Pipeline,
  costs: FamilyCosts,
): string {
  const forms = operandForms(network, pipeline, costs);
  const tables = layersOf(graph).map(({ table }) => table);
  const printed: Printed = { network, pipeline, forms, costs, tables };
  const { declarations, statements } = bodyOf(printed);
  // A table's entry is there a cycle after it was looked up.
  const firstAt = (id: number) =>
    vectorAt(
      printed,
      id,
      (pipeline.cycles[id] ?? 0) + (network.signals[id]?.kind === "table" ? 1 : 0),
    );
  const last = network.layers.at(-1);
  const outputs = last ? resultsOf(last) : [];
  const width = graph.output.width;
  const answerOf = (value: Value | null) =>
    outputOf(value, width, (id) => vectorAt(printed, id, pipeline.outputCycle));
  return `module network (
  input clk,
${Array.from({ length: graph.input.size }, (_, index) => `  input [${graph.input.width - 1}:0] x${index},`).join("\n")}
${outputs.map((_, index) => `  output [${width - 1}:0] y${index}`).join(",\n")}
);
${declarations.join("\n")}
  always @(posedge clk) begin
${statements.join("\n")}
  end
${outputs.map((value, index) => `  assign y${index} = ${answerOf(value)};`).join("\n")}
${tapWires(graph, network, firstAt).join("\n")}
endmodule
`;
}

/** What is declared, signal by signal, and the statements that load the registers among it. */
function bodyOf(printed: Printed): { declarations: string[]; statements: string[] } {
  const declarations: string[] = [];
  const statements: string[] = [];
  for (const [id, signal] of printed.network.signals.entries()) {
    declarations.push(...emitSignal(printed, id, signal));
    for (const { declaration, statement } of emitRegisters(printed, id)) {
      declarations.push(declaration);
      statements.push(statement);
    }
  }
  return { declarations, statements };
}

function outputOf(value: Value | null, width: number, at: (id: number) => BitVector): string {
  if (value?.kind !== "term") return literal(value?.constant ?? 0, width);
  return bitsOf(at(value.term.signal), 0, width);
}
