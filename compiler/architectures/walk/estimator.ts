import { type Precision, precisions, weightBitsOf } from "../../passes/precision";
import { lackInWords } from "../../target/lacking";
import { arrayPart } from "../../target/part";
import type { Fit } from "../architecture";
import type { EstimateRequest, Estimator } from "../estimator";
import { hollowGraph } from "./hollow-graph";
import { chooseLayout, type LayoutChoice, refuseLanes, refuseUnrolled } from "./layout";
import { type HollowNode, type WalkOutline, walkOutlineSchema } from "./walk-outline";

/** Lays the core of an outline out on a part: the planner prints this layout, with the weights in it. */
export function fitWalk(
  outline: WalkOutline,
  { target, wish }: EstimateRequest,
): Fit<LayoutChoice> {
  const chosen = chooseLayout(hollowGraph(outline), arrayPart(target), wish.lanes);
  if (!chosen.choice) {
    const { lacking } = chosen;
    return { fits: false, lack: lackInWords(lacking), lacking };
  }
  const { layout, estimate } = chosen.choice;
  return {
    fits: true,
    layout: chosen.choice,
    resources: estimate,
    latencyCycles: layout.schedule.latencyCycles,
    lanes: layout.lanes,
    ownMultipliers: false,
  };
}

export const walkEstimator: Estimator<WalkOutline> = {
  id: "walk",
  schema: walkOutlineSchema,
  errors: { cells: 0.2, cycles: 0 },
  isAskedBy: () => true,
  check(_, { target, wish: { architecture, lanes } }) {
    refuseUnrolled(architecture);
    refuseLanes(lanes, target.part);
  },
  estimate: fitWalk,
  atPrecision(outline, precision) {
    const { nodes } = outline;
    const layers = nodes.map((_, place) => nodes.slice(0, place).filter(isLayer).length);
    return {
      ...outline,
      inputBits: precision.inputBits,
      nodes: nodes.map((node, place) =>
        node.op === "requantize" && place === nodes.length - 1
          ? node
          : nodeAt(node, precision, layers[place] ?? 0),
      ),
    };
  },
};

const usual = precisions["exact-ish"];
const isLayer = ({ op }: HollowNode): boolean => op !== "requantize" && op !== "table";

/** A node of the default bits at others. What is looked up keeps its bits: they follow from the function. */
function nodeAt(node: HollowNode, precision: Precision, layer: number): HollowNode {
  if (node.op === "requantize") {
    const isHidden = node.width === usual.activationBits;
    return isHidden ? { ...node, width: precision.activationBits } : node;
  }
  if (node.op === "table") return { ...node, width: precision.activationBits };
  if (!("accumulatorWidth" in node)) return node;
  const more = (bits: (of: Precision) => number) => bits(precision) - bits(usual);
  const values = more(({ inputBits, activationBits }) =>
    [node.from].flat()[0] === -1 ? inputBits : activationBits,
  );
  const factors =
    node.op === "convolution"
      ? more((of) => weightBitsOf(of, layer))
      : node.op === "product"
        ? more(({ activationBits }) => activationBits)
        : 0;
  const accumulatorWidth = node.accumulatorWidth + values + factors;
  return node.op === "convolution"
    ? { ...node, accumulatorWidth, weightWidth: weightBitsOf(precision, layer) }
    : { ...node, accumulatorWidth };
}
