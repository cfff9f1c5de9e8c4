import { resolve } from "node:path";
import { getBoardModel } from "@/boards";
import { getEngine } from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";
import { createToolchain } from "@/workers/builds/tools";
import { type Memory, openMemory } from "../memory";
import { buildPlan, toolInputs } from "./build-plan";
import { expectedOf } from "./expected";
import { goalLines } from "./goals";
import { loadMatrixModel, matrixModelNames } from "./models";
import { architectureOf, countWeights, intervalOf, planModel } from "./plan-model";
import { tableHead, tableLine } from "./print";
import { type MatrixPart, matrixBoards, type Outcome, type Row } from "./row";

const toolsDir = resolve(process.env["TOOLS_DIR"] ?? ".boardwalk/tools");

/**
 * Every model on every part, built by the engine's own plan with default options and proven, a line of a table for each.
 *
 * Arguments: names of parts and models, or the beginnings of them; without any, all. `--resume` takes what the tools said
 * of equal files in an earlier run; `--plan` runs no tool; `--rows FILE` says where that is kept.
 */
export async function measureMatrix(args: readonly string[]): Promise<void> {
  const fileAt = args.indexOf("--rows");
  const file = fileAt < 0 ? resolve(toolsDir, "../cache/matrix.jsonl") : (args[fileAt + 1] ?? "");
  const flags = new Set(args.filter((each) => each.startsWith("--")));
  const names = args.filter(
    (each, at) => !each.startsWith("--") && (fileAt < 0 || at !== fileAt + 1),
  );
  const chosen = <Name extends string>(all: readonly Name[]): readonly Name[] => {
    const found = all.filter((name) => names.some((each) => name.startsWith(each)));
    return found.length > 0 ? found : all;
  };
  const memory = openMemory<Outcome>(file);
  const rows: Row[] = [];
  console.log(tableHead());
  for (const part of chosen(Object.keys(matrixBoards) as MatrixPart[])) {
    for (const model of chosen(matrixModelNames)) {
      const row = await measureRow(model, part, {
        memory,
        resume: flags.has("--resume"),
        planOnly: flags.has("--plan"),
      });
      rows.push(row);
      console.log(tableLine(row));
    }
  }
  console.log(`\n${goalLines(rows).join("\n")}`);
}

interface RowOptions {
  readonly memory: Memory<Outcome>;
  readonly resume: boolean;
  readonly planOnly: boolean;
}

async function measureRow(
  name: string,
  part: MatrixPart,
  { memory, resume, planOnly }: RowOptions,
): Promise<Row> {
  const boardId = matrixBoards[part];
  const commands = getEngine("boardwalk").tools("onnx", getBoardModel(boardId));
  const versions = await createToolchain({ native: new Set(), toolsDir }).versions(commands);
  const model = loadMatrixModel(name);
  const started = performance.now();
  try {
    const planned = planModel(model, boardId, versions);
    const { plan, compileS } = planned;
    const key = `${name} ${part} ${digestOf(Buffer.from(toolInputs(plan)))}`;
    const known = resume || planOnly ? memory.find(key) : null;
    const outcome =
      known ?? (planOnly ? ({ kind: "planned" } as const) : await buildPlan(planned, versions));
    if (!known && !planOnly) memory.add(key, outcome);
    return {
      model: name,
      part,
      compileS,
      planned: {
        architecture: architectureOf(plan),
        interval: intervalOf(plan),
        weights: countWeights(plan),
        expected: expectedOf(planned, model, boardId),
        outcome,
      },
    };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const compileS = (performance.now() - started) / 1000;
    return { model: name, part, compileS, planned: { refused: error.message } };
  }
}
