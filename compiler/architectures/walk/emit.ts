import { corePorts } from "../../verilog/core-ports";
import { emitMultiplier } from "../../verilog/multiplier";
import { emitRowIn } from "../../verilog/row-in";
import { emitRowOut } from "../../verilog/row-out";
import type { CoreLayout } from "./core-layout";
import { emitArray } from "./emit-array";
import { emitDrain } from "./emit-drain";
import { emitWalk } from "./emit-walk";
import type { MapMemoryStyles } from "./memory-styles";

/**
 * Prints the module `core`: one array of lanes that walks through a memory of feature maps, sweep after sweep.
 * Deterministic: equal layouts give equal text. The page `docs/compiler.md` explains the structure.
 */
export function emitMapCore(layout: CoreLayout, styles: MapMemoryStyles): string {
  const { lanes, sweeps } = layout;
  return `// One array of ${lanes} multiply-accumulate lanes walks through feature maps, ${sweeps.length} times. See docs/compiler.md.

${emitMultiplier(9)}
${corePorts("reg")}
${emitRowIn(layout.inputs, { start: true })}
${emitWalk(layout)}
${emitArray(layout)}
${emitDrain(layout, styles)}
  // ---- Row out: two bytes per result, the low one first.

${emitRowOut(layout.outputs, {
  declare: "",
  lines: `    begin_1 <= ends[${11 + layout.schedule.lookUp}] & answers & ~rst;`,
  bytes: layout.resultBits === 32 ? 4 : 2,
})}endmodule
`;
}
