import { createHash } from "node:crypto";
import { getBoardModel } from "@/boards";
import type { PlanRequest } from "@/engines";
import { loadSample, type SampleId } from "./samples";

/** A request to plan a sample, as the build worker would make it. */
export function planRequest(
  id: SampleId,
  board: string,
  change: Partial<PlanRequest> = {},
): PlanRequest {
  const { bytes, graph, card } = loadSample(id);
  const sha256: PlanRequest["sha256"] = (content) =>
    `sha256:${createHash("sha256").update(content).digest("hex")}`;
  return {
    model: { format: "onnx", bytes, digest: sha256(bytes), graph, savedModel: null },
    card,
    calibration: null,
    board: getBoardModel(board),
    boardKind: board === "cpu" ? "cpu" : "simulated",
    options: {},
    toolVersions: { yosys: "0.55" },
    sourceDigest: sha256(new Uint8Array()),
    sha256,
    ...change,
  };
}
