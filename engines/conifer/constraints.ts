import type { BoardModel } from "@/boards";
import { type Graph, hasTrees } from "@/compiler";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { refused, verdictOf } from "../verdict";
import { readConiferModel } from "./ensemble";

/** Formats whose trees are read. */
export const formats = ["xgboost-json", "xgboost-ubj", "onnx"] as const;

/** Each node becomes C++ that a compiler must get through, with a weight for each feature. */
const most = { trees: 2_000, nodes: 20_000, weights: 200_000 } as const;

const few = (count: number) => count.toLocaleString("en-GB");

/** Whether conifer may take it: one ensemble of trees, of which every node asks whether a feature is below a threshold. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  return verdictOf(() => {
    if (!graph || !formats.some((each) => each === format) || !hasTrees(graph)) {
      throw fail("FORMAT_HAS_NO_ENGINE", "The conifer engine takes trees, and these are none.", {
        hint: "It reads XGBoost's JSON and UBJ, and tree ensembles in ONNX.",
      });
    }
    requireSize(graph);
    const { ensemble } = readConiferModel(graph);
    const trees = ensemble.trees.flat();
    const nodes = trees.reduce((sum, { feature }) => sum + feature.length, 0);
    const weights = nodes * ensemble.n_features;
    if (trees.length > most.trees) throw tooLarge(`${few(trees.length)} trees`, most.trees);
    if (nodes > most.nodes) throw tooLarge(`${few(nodes)} nodes`, most.nodes);
    if (weights > most.weights)
      throw tooLarge(`${few(weights)} pairs of a node and a feature`, most.weights);
  });
}

/** A batch of free size, and nothing else free. */
function requireSize({ inputs }: Graph): void {
  const free = inputs.find(({ shape }) => shape.slice(1).some((size) => size < 0));
  if (!free) return;
  throw fail(
    "MODEL_SHAPE_INVALID",
    `Input ${free.name} has a free dimension besides the batch, and firmware has none.`,
  );
}

const tooLarge = (what: string, limit: number) =>
  fail("MODEL_TOO_LARGE", `The model has ${what}; the conifer engine takes ${few(limit)}.`, {
    hint: "conifer writes each of them into C++ that a compiler must get through: train fewer or shallower trees, or use the boardwalk engine.",
  });

/** The emulation on CPU boards, and on simulated boards of AMD's with the project beside it. */
export function supports({ name, part: { flow } }: BoardModel, kind: BoardKind): Verdict {
  const isCpu = flow.kind === "cpu";
  if (isCpu === (kind === "cpu") && (isCpu || flow.kind === "vivado")) return { ok: true };
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine conifer does not build for ${name}.`, {
      hint: "Choose a CPU board, which runs the emulation, a board of AMD's, or the boardwalk engine.",
    }),
  );
}
