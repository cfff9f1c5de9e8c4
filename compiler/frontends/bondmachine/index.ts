import { fail } from "@/lib/common/errors";
import type { Graph } from "../../graph/graph";
import { buildGraph } from "./build-graph";
import { limits } from "./limits";
import { readNetwork } from "./read-network";

/**
 * Reads the network JSON of BondMachine's neuralbond, as `bmtrain` and `pybondmachine` write it (`modelBM.json`).
 *
 * @throws {AppError} with a `MODEL_…` reason; `OPERATOR_UNSUPPORTED` naming a neuron of an unknown type.
 */
export function parseBondmachineJson(bytes: Uint8Array): Graph {
  if (bytes.length > limits.bytes) {
    throw fail(
      "MODEL_TOO_COMPLEX",
      `The network has ${bytes.length} bytes; ${limits.bytes} are the most.`,
    );
  }
  return buildGraph(readNetwork(new TextDecoder("utf-8").decode(bytes)));
}
