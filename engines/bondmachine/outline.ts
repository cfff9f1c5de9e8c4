import { type DenseFloats, denseFloats, type Graph } from "@/compiler";
import { type ModelCard, type Outline, outlineVersion } from "@/lib/common/contract";
import { type NumberTypeId, numberTypeOf } from "../reference/number-type";
import { chooseType, trialOf } from "./choose-type";
import type { MachineOutline } from "./machine-outline";
import { connectionsLeft, pruned } from "./prune";
import { scoreRange, softmaxProblem } from "./softmax-choice";

/** Products that made-up rows may take while a type is tried: an inspection does not wait as long as a build. */
const mostProducts = 2e6;
const fewestRows = 16;

/**
 * As much of a network as the form forecasts a machine of it from.
 *
 * @throws {AppError} where its numbers are refused.
 */
export function outlineOf(graph: Graph, card: ModelCard | null): Outline {
  const { inputRange = null } = card ?? {};
  const read = (isScaled: boolean) =>
    denseFloats({ graph, inputRange, calibration: null }, isScaled);
  const words = read(true);
  const floats = read(false);
  const inputs = words.layers[0]?.inputSize ?? 0;
  const outputs = words.layers.at(-1)?.outputSize ?? 0;
  const layersOf = (layers: typeof words.layers): MachineOutline["fixed"] =>
    layers.map((layer) => ({
      processors: layer.outputSize,
      relu: layer.relu,
      left: connectionsLeft(layer),
    }));
  const machine: MachineOutline = {
    inputs,
    outputs,
    usual: usualType((type) => (numberTypeOf(type).float === null ? words : floats)),
    fixed: layersOf(words.layers),
    float: layersOf(floats.layers),
    softmax: softmaxOf(floats, outputs),
  };
  const bytes = numberTypeOf(machine.usual).width / 8;
  return {
    version: outlineVersion,
    inputBytes: inputs * bytes,
    outputBytes: outputs * bytes,
    hasOwnBits: false,
    cores: { machine: { ...machine } },
  };
}

/** The scores of a softmax at the end that a machine can do, or why it cannot. */
function softmaxOf({ io, layers, rows }: DenseFloats, scores: number): MachineOutline["softmax"] {
  const problem = softmaxProblem(io({ width: 32, fraction: 0 }).outputs, scores);
  if (problem) return problem.message;
  return [...scoreRange(layers, rows.slice(0, rowsFor(layers)))];
}

/** As many rows as an inspection has time for. */
function rowsFor(layers: DenseFloats["layers"]): number {
  const products = layers.reduce((total, { weights }) => total + weights.length, 0);
  return Math.max(fewestRows, Math.floor(mostProducts / Math.max(1, products)));
}

/** What `auto` comes to, by fewer rows than a build tries. */
function usualType(read: (type: NumberTypeId) => ReturnType<typeof denseFloats>): NumberTypeId {
  return chooseType(["fps16f8", "fps32f16", "float32"], (type) => {
    const floats = read(type);
    const layers = floats.layers.map((layer) => pruned(layer, 0));
    const rows = floats.rows.slice(0, rowsFor(floats.layers));
    return trialOf(type, { ...floats, rows }, layers);
  }).chosen;
}
