import { composeElementwise, elementwiseOperation } from "@/lib/common/elementwise";
import { operandsOf } from "../../integer/integer-graph";
import {
  type ConcatLayer,
  type ConvolutionLayer,
  isSumming,
  type Layer,
} from "../../model/maps/layers";

interface Ranged {
  readonly layers: readonly Layer[];
  /** The magnitude that each layer's values must hold. */
  readonly ranges: readonly number[];
}

/** Bits by which a part of a joined map may be raised: so many less are left of the weights that read it. */
const mostBits = 4;

/**
 * Joined maps share one grid. What a table makes of smaller values than the others' is raised to their size by a power of
 * two, and the weights that read it take that back: nothing changes but how fine its grid is.
 */
export function levelJoins({ layers: given, ranges: before }: Ranged): Ranged {
  const layers = [...given];
  const ranges = [...before];
  for (const [place, join] of given.entries()) {
    if (join.kind !== "concat") continue;
    for (const [part, from] of join.from.entries()) {
      const made = layers[from];
      if (!made || !isSumming(made) || !made.elementwise) continue;
      if (readersOf(given, from).length !== 1) continue;
      const reading = readersOfPart(given, place, startOf(join, part));
      if (!reading) continue;
      const largest = Math.max(...reading.joins.map((each) => ranges[each] ?? 0));
      const bits = Math.min(mostBits, Math.floor(Math.log2(largest / (ranges[from] ?? 0))));
      if (!(bits > 0)) continue;
      const raise = elementwiseOperation("Mul", { from: 0 }, { constant: 2 ** bits });
      const elementwise = composeElementwise(made.elementwise, [raise]);
      layers[from] = { ...made, elementwise };
      ranges[from] = (ranges[from] ?? 0) * 2 ** bits;
      for (const { place: at, first } of reading.sums) {
        const sum = layers[at];
        if (sum?.kind !== "convolution") continue;
        layers[at] = lowered(sum, { first, count: join.channels[part] ?? 0 }, 2 ** -bits);
      }
    }
  }
  return { layers, ranges };
}

const readersOf = (layers: readonly Layer[], place: number): number[] =>
  [...layers.entries()].flatMap(([at, layer]) => (operandsOf(layer).includes(place) ? [at] : []));

const startOf = ({ channels }: ConcatLayer, part: number): number =>
  channels.slice(0, part).reduce((sum, each) => sum + each, 0);

/** Where a part of a joined map is read: joins around it, and sums over all channels with the part's first one. */
interface Reading {
  readonly joins: readonly number[];
  readonly sums: readonly { readonly place: number; readonly first: number }[];
}

/** @returns Null where something reads it that has no weight for each channel. */
function readersOfPart(layers: readonly Layer[], join: number, first: number): Reading | null {
  const joins = [join];
  const sums: { place: number; first: number }[] = [];
  for (const place of readersOf(layers, join)) {
    const reader = layers[place];
    if (reader?.kind === "concat") {
      const part = reader.from.indexOf(join);
      const behind = readersOfPart(layers, place, first + startOf(reader, part));
      if (!behind) return null;
      joins.push(...behind.joins);
      sums.push(...behind.sums);
    } else if (reader?.kind === "convolution" && readsAllChannels(reader, layers[join])) {
      sums.push({ place, first });
    } else return null;
  }
  return { joins, sums };
}

function readsAllChannels({ groups, input }: ConvolutionLayer, join: Layer | undefined): boolean {
  const channels = join?.output.channels;
  const [, x, c] = input.strides;
  const isPlain = c === 1 && x === channels && (input.first ?? 0) === 0;
  return groups === 1 && input.channels === channels && isPlain;
}

/** The convolution with smaller weights for some of its channels. */
function lowered(
  layer: ConvolutionLayer,
  { first, count }: { readonly first: number; readonly count: number },
  factor: number,
): ConvolutionLayer {
  const { channels } = layer.input;
  const weights = layer.weights.map((weight, at) => {
    const channel = at % channels;
    return channel >= first && channel < first + count ? weight * factor : weight;
  });
  return { ...layer, weights };
}
