import type { FamilyCosts } from "@/boards";
import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { trailingZeros, widthOf } from "../../integer/range";
import { type BitVector, bitsOf, concatenate, heldBits, literal } from "./bit-vector";
import { clampOf } from "./emit-clamp";
import { tableInstance } from "./emit-tables";
import { registerKey } from "./inverted-registers";
import { type Network, resultsOf, type Signal, type Value } from "./network";
import { adderWidth, shifted } from "./network-builder";
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
  const { signals, layers } = network;
  const forms = operandForms(network, pipeline, costs);
  const { cycles, delays, outputCycle } = pipeline;
  const nameAt = (id: number, cycle: number): BitVector => {
    const signal = signals[id];
    const made = cycles[id] ?? 0;
    if (!signal || cycle < made)
      throw new RangeError(`Signal ${id} is not there in cycle ${cycle}.`);
    const name = signal.kind === "input" ? `x${signal.element}` : `s${id}`;
    const delay = cycle - made;
    return forms.inverted.has(registerKey(id, delay))
      ? { name: `n${name}_${delay}`, range: signal, inverted: true }
      : { name: delay === 0 ? name : `${name}_${delay}`, range: signal };
  };
  const tables = layersOf(graph).map(({ table }) => table);
  const lines: string[] = [];
  const clocked: string[] = [];
  const declare = (kind: "reg" | "wire", id: number, name: string) => {
    const width = widthOf(signals[id] ?? { min: 0, max: 0 });
    return `  ${kind} ${width === 1 ? "" : `[${width - 1}:0] `}${name}`;
  };
  for (const [id, signal] of signals.entries()) {
    const cycle = cycles[id] ?? 0;
    if (signal.kind === "clamp" && signal.drop < 0) {
      const source = nameAt(signal.source, cycle);
      const range = shifted(source.range, signal.drop, signal.constant);
      const name = `s${id}_wide`;
      const bits = concatenate(
        bitsOf(source, 0, widthOf(range) + signal.drop),
        literal(signal.constant, -signal.drop),
      );
      lines.push(`  wire [${widthOf(range) - 1}:0] ${name} = ${bits};`);
      const clamp = clampOf({ ...signal, drop: 0, constant: 0 }, { name, range });
      lines.push(`${declare("wire", id, `s${id}`)} = ${clamp};`);
    } else if (signal.kind === "table") {
      lines.push(
        ...tableInstance(id, signal, {
          table: tables[signal.layer],
          source: nameAt(signal.source, cycle),
          register: nameAt(id, cycle + 1).name,
        }),
      );
    } else if (signal.kind === "clamp") {
      const source = nameAt(signal.source, cycle);
      const name = `s${id}_source`;
      if (source.inverted) {
        const width = widthOf(source.range);
        lines.push(`  wire [${width - 1}:0] ${name} = ${bitsOf(source, 0, width)};`);
      }
      const clamp = clampOf(signal, source.inverted ? { name, range: source.range } : source);
      lines.push(`${declare("wire", id, `s${id}`)} = ${clamp};`);
    } else if (signal.kind === "sum") {
      const turned = forms.turned.get(id);
      const operands = { left: nameAt(signal.left, cycle), right: nameAt(signal.right, cycle) };
      if (turned?.fromTwin) operands[turned.side] = twinOf(operands[turned.side]);
      const expression = sumOf(signal, operands, turned?.fromTwin ? undefined : turned?.side);
      lines.push(`${declare("wire", id, `s${id}`)} = ${expression};`);
    } else if (signal.kind !== "input") {
      const expression = offsetOf(signal, nameAt(signal.source, cycle), costs);
      lines.push(`${declare("wire", id, `s${id}`)} = ${expression};`);
    }
    for (let delay = signal.kind === "table" ? 2 : 1; delay <= (delays[id] ?? 0); delay++) {
      const { name, inverted: turned = false } = nameAt(id, cycle + delay);
      const before = nameAt(id, cycle + delay - 1);
      lines.push(`${declare("reg", id, name)};`);
      clocked.push(
        `    ${name} <= ${turned === (before.inverted ?? false) ? "" : "~"}${before.name};`,
      );
    }
    if (forms.twins.has(id)) {
      const { name, inverted: turned = false } = twinOf(nameAt(id, cycle + 1));
      lines.push(`${declare("reg", id, name)};`);
      clocked.push(`    ${name} <= ${turned ? "~" : ""}s${id};`);
    }
  }
  // A table's entry is there a cycle after it was looked up.
  const firstNameOf = (id: number) =>
    nameAt(id, (cycles[id] ?? 0) + (signals[id]?.kind === "table" ? 1 : 0));
  const last = layers.at(-1);
  const outputs = last ? resultsOf(last) : [];
  const width = graph.output.width;
  return `module network (
  input clk,
${Array.from({ length: graph.input.size }, (_, index) => `  input [${graph.input.width - 1}:0] x${index},`).join("\n")}
${outputs.map((_, index) => `  output [${width - 1}:0] y${index}`).join(",\n")}
);
${lines.join("\n")}
  always @(posedge clk) begin
${clocked.join("\n")}
  end
${outputs.map((value, index) => `  assign y${index} = ${outputOf(value, width, (id) => nameAt(id, outputCycle))};`).join("\n")}
${tapWires(graph, network, firstNameOf).join("\n")}
endmodule
`;
}

function outputOf(value: Value | null, width: number, at: (id: number) => BitVector): string {
  if (value?.kind !== "term") return literal(value?.constant ?? 0, width);
  return bitsOf(at(value.term.signal), 0, width);
}

/** The register that holds the other form of what a register holds. */
const twinOf = ({ name, range, inverted }: BitVector): BitVector => ({
  name: `${name}_twin`,
  range,
  ...(inverted ? {} : { inverted: true }),
});

/** The right-hand side of what adds a constant, of exactly its width. */
function offsetOf(
  signal: Extract<Signal, { kind: "offset" }>,
  source: BitVector,
  { needsComplements }: FamilyCosts,
): string {
  const width = widthOf(signal);
  const { constant, negative } = signal;
  if (constant === 0 && !negative) return bitsOf(source, 0, width);
  if (negative) {
    return source.inverted || !needsComplements
      ? `${literal(constant, width)} - ${bitsOf(source, 0, width)}`
      : `~(${bitsOf(source, 0, width)} + ${literal(-1 - constant, width)})`;
  }
  const low = Math.min(trailingZeros(constant), width - 1);
  const added = literal(constant / 2 ** low, width - low);
  const held = heldBits(source, low, width - low);
  const high = source.inverted ? `~(${held} - ${added})` : `${held} + ${added}`;
  return low === 0 ? high : concatenate(high, bitsOf(source, 0, low));
}

/**
 * The right-hand side of a sum, of exactly its width. From a left operand that is held as its complement comes the
 * complement of the result, so that nothing is inverted before the carry chain where the operands' forms allow it.
 *
 * @param inverts The operand that is inverted where they do not.
 */
function sumOf(
  sum: Extract<Signal, { kind: "sum" }>,
  { left, right }: { readonly left: BitVector; readonly right: BitVector },
  inverts: "left" | "right" | undefined,
): string {
  const { shift, negative } = sum;
  const width = widthOf(sum);
  if (width <= shift) return bitsOf(left, 0, width);
  const low = shift === 0 ? null : bitsOf(left, 0, shift);
  const upper = width - shift;
  if (adderWidth(left.range, sum, sum) === 0) return concatenate(bitsOf(right, 0, upper), low);
  const isComplement = (left.inverted ?? false) !== (inverts === "left");
  const sign = negative === isComplement ? "+" : "-";
  const held = `${inverts === "left" ? "~" : ""}${heldBits(left, shift, upper)}`;
  const adder = `${held} ${sign} ${bitsOf(right, 0, upper)}`;
  return concatenate(isComplement ? `~(${adder})` : adder, low);
}
