import { fail } from "@/lib/common/errors";
import { boardwalkEngine } from "./boardwalk";
import type { Engine } from "./engine";
import { hls4mlEngine } from "./hls4ml";
import { onnxEngine } from "./onnx";
import { prebuiltEngine } from "./prebuilt";
import { tensorflowEngine } from "./tensorflow";
import { xgboostEngine } from "./xgboost";

const engines: readonly Engine[] = [
  boardwalkEngine,
  onnxEngine,
  tensorflowEngine,
  xgboostEngine,
  prebuiltEngine,
  hls4mlEngine,
];

/** Every engine of the installation, in the order in which people see them. */
export function listEngines(): readonly Engine[] {
  return engines;
}

/** @throws {AppError} `ENGINE_UNKNOWN`, naming those there are. */
export function getEngine(id: string): Engine {
  const engine = engines.find((candidate) => candidate.id === id);
  if (engine) return engine;
  throw fail("ENGINE_UNKNOWN", `There is no engine "${id}".`, {
    field: "engine",
    hint: `Choose one of ${engines.map((each) => each.id).join(", ")}.`,
  });
}
