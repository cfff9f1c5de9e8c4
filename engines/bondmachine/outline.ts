import { denseFloats, type Graph } from "@/compiler";
import { type ModelCard, type Outline, outlineVersion } from "@/lib/common/contract";
import { type NumberTypeId, numberTypeOf } from "../reference/number-type";
import { chooseType, trialOf } from "./choose-type";
import type { MachineOutline } from "./machine-outline";
import { connectionsLeft, pruned } from "./prune";

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

/** What `auto` comes to, by fewer rows than a build tries. */
function usualType(read: (type: NumberTypeId) => ReturnType<typeof denseFloats>): NumberTypeId {
  return chooseType(["fps16f8", "fps32f16", "float32"], (type) => {
    const floats = read(type);
    const layers = floats.layers.map((layer) => pruned(layer, 0));
    const products = layers.reduce((total, { weights }) => total + weights.length, 0);
    const count = Math.max(fewestRows, Math.floor(mostProducts / Math.max(1, products)));
    return trialOf(type, { ...floats, rows: floats.rows.slice(0, count) }, layers);
  }).chosen;
}
