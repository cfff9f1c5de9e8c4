import type { IntegerGraph } from "@/compiler";
import type { DeriveStep, Plan, Step, ToolStep } from "../../engine";
import type { AdderProgram } from "../../reference/adder-program";
import { converter } from "../conversion-step";
import { files } from "./files";
import type { ExpectedNetwork } from "./gather";
import { traceScript } from "./trace-script";

/** The task of the step that puts the network into its wrapper. */
export const gatherTask = "gather-adders";

const limitS = { trace: 1800, gather: 120 } as const;

/** How large a network may become, and what da4ml's own count is worth in cells. */
export interface Room {
  /** Of the board, as people call it. */
  readonly board: string;
  readonly mostCells: number;
  readonly cellsPerBit: number;
  readonly cellsBesides: number;
}

/** What is made: how many stages there may be at most, and what the part holds. */
interface Wish {
  readonly stages: number;
  readonly room: Room;
}

type Making = { readonly files: Plan["files"]; readonly steps: readonly Step[] };

const { problem, network, ports } = files;

/** The files and steps from an integer graph to `core.v`. */
export function makingOf(graph: IntegerGraph, { stages, room }: Wish): Making {
  const wordsOf = ({ size, width, fraction }: IntegerGraph["input"]) => ({ size, width, fraction });
  return {
    files: new Map([
      [files.script, traceScript],
      [files.task, JSON.stringify({ problem, network, ports, graph, stages, ...room })],
    ]),
    steps: [
      trace([], []),
      gatherStep({
        // The graph counts in integers, whatever they stand for, and so does da4ml; a byte holds each input.
        input: { ...wordsOf(graph.input), width: 8, fraction: 0 },
        output: { ...wordsOf(graph.output), fraction: 0 },
        stages,
      }),
    ],
  };
}

/** The same from a Keras file that da4ml reads itself, to `core.v` and its software model. @param rows Words of the vectors. */
export function makingOfModel(
  bytes: Uint8Array,
  { stages, room }: Wish,
  edges: {
    readonly planned: Pick<AdderProgram, "input" | "output">;
    /** Of an input: all of its bits, and those left of the point, the sign among them. */
    readonly input: { readonly width: number; readonly integers: number };
    readonly rows: readonly (readonly number[])[];
  },
): Making {
  const { model, program } = files;
  const { planned, input, rows } = edges;
  const task = { problem, network, ports, model, program, input, rows, stages, ...room };
  const wordsOf = ({ name: _, ...words }: AdderProgram["input"]) => words;
  return {
    files: new Map<string, string | Uint8Array>([
      [files.script, traceScript],
      [files.task, JSON.stringify(task)],
      [model, bytes],
    ]),
    steps: [
      trace([model], [program]),
      gatherStep({
        input: wordsOf(planned.input),
        output: wordsOf(planned.output),
        stages,
        made: { input: planned.input.name, output: planned.output.name },
      }),
    ],
  };
}

const trace = (reads: readonly string[], produces: readonly string[]): ToolStep => ({
  kind: "tool",
  name: "adders by da4ml",
  stage: "synthesise",
  command: converter,
  args: [files.script, files.task],
  timeoutS: limitS.trace,
  reads: [files.script, files.task, ...reads],
  produces: [files.network, files.ports, ...produces],
  explains: files.problem,
});

const gatherStep = (given: ExpectedNetwork): DeriveStep => ({
  kind: "derive",
  name: "adders behind the port of a core",
  stage: "synthesise",
  task: gatherTask,
  given,
  timeoutS: limitS.gather,
  reads: [files.network, files.ports, ...(given.made ? [files.program] : [])],
  produces: [files.core, ...(given.made ? [files.graph] : [])],
});
