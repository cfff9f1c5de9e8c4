import { widthOf } from "../../integer/range";
import { bitsOf, concatenate, literal } from "./bit-vector";
import { offsetOf, sumOf } from "./emit-adders";
import { biasedSum } from "./emit-biased";
import { clampOf } from "./emit-clamp";
import { tableInstance } from "./emit-tables";
import type { Signal } from "./network";
import { shifted } from "./network-builder";
import { declare, type Printed, twinOf, vectorAt, wireOf } from "./network-text";

/** Declarations that make a signal of what is there in its cycle; none of an input. */
export function emitSignal(printed: Printed, id: number, signal: Signal): string[] {
  const cycle = printed.pipeline.cycles[id] ?? 0;
  const made = (expression: string) =>
    `${declare(printed, "wire", id, wireOf(id))} = ${expression};`;
  switch (signal.kind) {
    case "input":
      return [];
    case "table":
      return tableInstance(id, signal, {
        table: printed.tables[signal.layer],
        source: vectorAt(printed, signal.source, cycle),
        register: vectorAt(printed, id, cycle + 1).name,
      });
    case "clamp": {
      const { lines, expression } = clampAt(printed, id, signal);
      return [...lines, made(expression)];
    }
    case "sum":
      return [made(sumAt(printed, id, signal))];
    case "biased": {
      const left = vectorAt(printed, signal.left, cycle);
      const right = vectorAt(printed, signal.right, cycle);
      const { lines, expression } = biasedSum(id, signal, { left, right });
      return [...lines, made(expression)];
    }
    case "offset":
      return [made(offsetOf(signal, vectorAt(printed, signal.source, cycle), printed.costs))];
  }
}

type Clamp = Extract<Signal, { kind: "clamp" }>;

/** A clamp, and the wires that it reads where no register holds what it looks at. */
function clampAt(
  printed: Printed,
  id: number,
  signal: Clamp,
): { readonly lines: readonly string[]; readonly expression: string } {
  const source = vectorAt(printed, signal.source, printed.pipeline.cycles[id] ?? 0);
  if (signal.drop < 0) {
    const range = shifted(source.range, signal.drop, signal.constant);
    const width = widthOf(range);
    const name = `${wireOf(id)}_wide`;
    const bits = concatenate(
      bitsOf(source, 0, width + signal.drop),
      literal(signal.constant, -signal.drop),
    );
    return {
      lines: [`  wire [${width - 1}:0] ${name} = ${bits};`],
      expression: clampOf({ ...signal, drop: 0, constant: 0 }, { name, range }),
    };
  }
  if (!source.inverted) return { lines: [], expression: clampOf(signal, source) };
  const width = widthOf(source.range);
  const name = `${wireOf(id)}_source`;
  return {
    lines: [`  wire [${width - 1}:0] ${name} = ${bitsOf(source, 0, width)};`],
    expression: clampOf(signal, { name, range: source.range }),
  };
}

function sumAt(printed: Printed, id: number, signal: Extract<Signal, { kind: "sum" }>): string {
  const cycle = printed.pipeline.cycles[id] ?? 0;
  const turned = printed.forms.turned.get(id);
  const operands = {
    left: vectorAt(printed, signal.left, cycle),
    right: vectorAt(printed, signal.right, cycle),
  };
  if (turned?.fromTwin) operands[turned.side] = twinOf(operands[turned.side]);
  return sumOf(signal, operands, turned?.fromTwin ? undefined : turned?.side);
}
