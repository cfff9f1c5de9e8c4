import { exportOnnx } from "@/compiler/export-onnx";
import { openSession } from "@/workers/builds/stages/float-session";
import { drawFrom } from "./draw";
import { answersOf } from "./judge-cpu";
import { drawAttention } from "./onnx-attention";
import { drawDense } from "./onnx-dense";
import { drawMaps } from "./onnx-maps";
import { drawQuantized } from "./onnx-quantized";
import { drawTrees } from "./onnx-trees";
import type { Answers, DrawnGraph, RandomModel } from "./types";

const families = {
  dense: drawDense,
  maps: drawMaps,
  trees: drawTrees,
  quantized: drawQuantized,
} as const;

/** ONNX Runtime is the model's own runtime: it must answer what is served as it answers the file, to the bit. */
function requireEqual(served: Answers, wanted: Answers): void {
  for (const [index, { output, values }] of wanted.entries()) {
    const own = served[index];
    const wrong = values.findIndex((value, at) => !Object.is(own?.values[at], value));
    if (own?.output === output && own.values.length === values.length && wrong < 0) continue;
    throw new Error(`${output}[${wrong}] is ${own?.values[wrong]}, not ${values[wrong]}`);
  }
  if (served.length !== wanted.length) throw new Error(`${served.length} outputs are served`);
}

/** A random ONNX file. Half of them are dense nets, which have most forms. */
export function randomOnnx(seed: number): RandomModel {
  const draw = drawFrom(seed);
  const family = draw.pick([
    "dense",
    "dense",
    "dense",
    "maps",
    "maps",
    "trees",
    "quantized",
  ] as const);
  return fileOf(families[family](draw), { seed, family });
}

/** A random transformer as an ONNX file. */
export const randomAttention = (seed: number): RandomModel =>
  fileOf(drawAttention(drawFrom(seed)), { seed, family: "attention" });

/** A graph as an ONNX file, with ONNX Runtime as its judge. */
export function fileOf(
  { about, graph }: DrawnGraph,
  origin: Pick<RandomModel, "seed" | "family">,
): RandomModel {
  const bytes = exportOnnx(graph);
  const [input = { name: "" }] = graph.inputs;
  return {
    ...origin,
    format: "onnx",
    about,
    bytes,
    async hold(served, { values, shape }) {
      const session = await openSession(bytes);
      try {
        requireEqual(served, await answersOf(session, input.name, values, shape));
      } finally {
        await session.close();
      }
    },
  };
}
