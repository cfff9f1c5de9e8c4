import { compileNetlist } from "@/simulator/compile";
import { bus, type HandModule, handNetlist } from "./hand-netlist";

const one = { A_SIGNED: 0, A_WIDTH: 1, Y_WIDTH: 1 };
const two = { ...one, B_SIGNED: 0, B_WIDTH: 1 };

/** What the core does instead of what it should. */
interface Breaks {
  /** "0": it never answers. */
  readonly outValid?: "0" | null;
  /** "0": its answer has no end. */
  readonly outLast?: "0" | "1";
}

/**
 * A core of one register: it takes three bytes, one each cycle while it is empty, and gives the last one back a cycle
 * later. `full` is set by the last byte and cleared by the answer.
 */
export const echoCore = ({ outValid = null, outLast = "1" }: Breaks = {}): HandModule => ({
  inputs: {
    clk: [2],
    rst: [3],
    in_valid: [4],
    in_data: bus(5, 8),
    in_last: [13],
    out_ready: [14],
  },
  outputs: {
    in_ready: [20],
    out_valid: [outValid ?? 30],
    out_data: bus(40, 8),
    out_last: [outLast],
    cycles: [30, ...Array(31).fill("0")],
  },
  cells: {
    empty: { type: "$logic_not", parameters: one, connections: { A: [30], Y: [20] } },
    last: { type: "$and", parameters: two, connections: { A: [13], B: [4], Y: [21] } },
    fill: { type: "$and", parameters: two, connections: { A: [21], B: [20], Y: [22] } },
    full: {
      type: "$sdff",
      parameters: { WIDTH: 1, CLK_POLARITY: 1, SRST_POLARITY: 1, SRST_VALUE: "0" },
      connections: { CLK: [2], SRST: [3], D: [22], Q: [30] },
    },
    data: {
      type: "$dff",
      parameters: { WIDTH: 8, CLK_POLARITY: 1 },
      connections: { CLK: [2], D: bus(5, 8), Q: bus(40, 8) },
    },
  },
});

/** The same, compiled. */
export const echoCoreWasm = (breaks: Breaks = {}): Uint8Array =>
  compileNetlist(handNetlist(echoCore(breaks)), { top: "top" }).wasm;
