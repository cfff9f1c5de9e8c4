import { getBoardModel } from "@/boards";
import { listEngines, type ParsedModel } from "@/engines";
import { digestOf } from "@/lib/server/digest";

/** The model as a CPU board would load it. @throws {Error} where no engine takes it. */
export function planOnCpu(model: ParsedModel): Uint8Array {
  const engine = listEngines().find(({ kind, accepts }) => kind === "cpu" && accepts(model).ok);
  const plan = engine?.plan({
    model,
    card: null,
    calibration: null,
    board: getBoardModel("cpu"),
    boardKind: "cpu",
    options: {},
    toolVersions: {},
    sourceDigest: digestOf("sources"),
    sha256: digestOf,
  });
  const artifact = plan?.files.get("model.onnx");
  if (!(artifact instanceof Uint8Array)) throw new Error("no CPU engine takes the model");
  return artifact;
}
