import { fail } from "@/lib/common/errors";
import { boardwalkEngine } from "./boardwalk";
import { bondHostEngine } from "./bond-host";
import { bondmachineEngine } from "./bondmachine";
import { coniferEngine } from "./conifer";
import type { Engine } from "./engine";
import { hls4mlEngine } from "./hls4ml";
import { onnxEngine } from "./onnx";
import { prebuiltEngine } from "./prebuilt";
import { tensorflowEngine } from "./tensorflow";
import { xgboostEngine } from "./xgboost";

const engines: readonly Engine[] = [
  boardwalkEngine,
  bondmachineEngine,
  onnxEngine,
  tensorflowEngine,
  xgboostEngine,
  prebuiltEngine,
  hls4mlEngine,
  coniferEngine,
  bondHostEngine,
];

/** Names by which engines were asked for elsewhere, and still may be. */
const aliases: Readonly<Record<string, string>> = {
  "fpga-model": "bondmachine",
  sklearn: "onnx",
};

/** Every engine of the installation, in the order in which people see them. */
export function listEngines(): readonly Engine[] {
  return engines;
}

/** @param id Of an engine, or another name of it. @throws {AppError} `ENGINE_UNKNOWN`, naming those there are. */
export function getEngine(id: string): Engine {
  const own = Object.hasOwn(aliases, id) ? aliases[id] : id;
  const engine = engines.find((candidate) => candidate.id === own);
  if (engine) return engine;
  throw fail("ENGINE_UNKNOWN", `There is no engine "${id}".`, {
    field: "engine",
    hint: `Choose one of ${engines.map((each) => each.id).join(", ")}.`,
  });
}
