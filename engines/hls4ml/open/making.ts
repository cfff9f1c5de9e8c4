import type { IntegerGraph } from "@/compiler";
import type { DeriveStep, Plan, Step, ToolStep } from "../../engine";
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

/** The files and steps from an integer graph to `core.v`. @param stages How many there may be at most. */
export function makingOf(
  graph: IntegerGraph,
  { stages, room }: { readonly stages: number; readonly room: Room },
): { readonly files: Plan["files"]; readonly steps: readonly Step[] } {
  const { problem, network, ports } = files;
  const task = { problem, network, ports, graph, stages, ...room };
  const wordsOf = ({ size, width, fraction }: IntegerGraph["input"]) => ({ size, width, fraction });
  return {
    files: new Map([
      [files.script, traceScript],
      [files.task, JSON.stringify(task)],
    ]),
    steps: [
      trace,
      gatherStep({
        // The graph counts in integers, whatever they stand for, and so does da4ml; a byte holds each input.
        input: { ...wordsOf(graph.input), width: 8, fraction: 0 },
        output: { ...wordsOf(graph.output), fraction: 0 },
        stages,
      }),
    ],
  };
}

const trace: ToolStep = {
  kind: "tool",
  name: "adders by da4ml",
  stage: "synthesise",
  command: converter,
  args: [files.script, files.task],
  timeoutS: limitS.trace,
  reads: [files.script, files.task],
  produces: [files.network, files.ports],
  explains: files.problem,
};

const gatherStep = (given: ExpectedNetwork): DeriveStep => ({
  kind: "derive",
  name: "adders behind the port of a core",
  stage: "synthesise",
  task: gatherTask,
  given,
  timeoutS: limitS.gather,
  reads: [files.network, files.ports],
  produces: [files.core],
});
