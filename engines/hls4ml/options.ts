import { z } from "zod";
import { choiceFields } from "../fpga/choices";
import { parseBy } from "../parse-options";

const widthSchema = z.number().int().min(2).max(48);
const integerSchema = z.number().int().min(-16).max(48);
const reuseSchema = z.number().int().min(1).max(65_536);
const strategySchema = z.enum(["Latency", "Resource", "distributed_arithmetic"]);

/** What one layer has otherwise than the others. */
const layerSchema = z.strictObject({
  width: widthSchema.optional().meta({ title: "Bits" }),
  integerBits: integerSchema.optional().meta({ title: "Integer bits" }),
  reuseFactor: reuseSchema.optional().meta({ title: "Reuse factor" }),
  strategy: strategySchema.optional().meta({ title: "Strategy" }),
});

/** Settings of hls4ml's own configuration. Every field has a label and a text, from which forms are drawn. */
export const optionsSchema = z
  .strictObject({
    width: widthSchema
      .default(16)
      .meta({ title: "Bits" })
      .describe("W of ap_fixed<W,I>: bits of inputs, weights, biases and results."),
    integerBits: integerSchema
      .default(6)
      .meta({ title: "Integer bits" })
      .describe(
        "I of ap_fixed<W,I>: bits left of the point, the sign among them. What does not fit wraps round.",
      ),
    results: z
      .enum(["fixed", "inferred"])
      .optional()
      .meta({ title: "Weights and results" })
      .describe(
        "Fixed: each has the bits above. Inferred: as hls4ml works them out from weights and quantisers, which loses nothing and may be wide. Left out: inferred for quantised models, else fixed.",
      ),
    reuseFactor: reuseSchema
      .default(1)
      .meta({ title: "Reuse factor" })
      .describe("How often one multiplier is used for a row. More is smaller and slower."),
    strategy: strategySchema
      .default("Latency")
      .meta({ title: "Strategy" })
      .describe(
        "Latency unrolls layers, Resource keeps weights in memory, distributed_arithmetic makes adders of them by da4ml.",
      ),
    ioType: z
      .enum(["io_parallel", "io_stream"])
      .default("io_parallel")
      .meta({ title: "Between layers" })
      .describe(
        "io_parallel hands on a whole row at once, io_stream element by element, which large convolutions need.",
      ),
    granularity: z
      .enum(["name", "type", "model"])
      .default("name")
      .meta({ title: "Granularity" })
      .describe(
        "Whether hls4ml keeps a configuration for each layer, for each type of layer, or one for the model.",
      ),
    backend: z
      .enum(["Vitis"])
      .default("Vitis")
      .meta({ title: "Backend" })
      .describe("The tool that the C++ project is written for."),
    layers: z
      .record(z.string().min(1).max(200), layerSchema)
      .default({})
      // Forms ask for it layer by layer, of those that an inspection lists for this engine.
      .meta({ title: "Layers", keys: "layers" })
      .describe(
        "What a layer has otherwise than the model. A reuse factor is one of those that divide its weights.",
      ),
    precision: z
      .enum(["exact-ish", "balanced", "smallest", "fastest"])
      .default("exact-ish")
      .meta({ title: "Numbers of firmware" })
      .describe(
        "On boards with open tools: bits of weights and hidden values, as for the boardwalk engine. Exact-ish 8 and 8, balanced 6 and 8, smallest 4 and 6, fastest 4 and 6 with 6-bit inputs.",
      ),
    levels: z
      .number()
      .int()
      .min(1)
      .max(16)
      .default(2)
      .meta({ title: "Adders between registers" })
      .describe(
        "On boards with open tools: adders in a row before a register. Fewer are a higher clock, more cycles and more registers.",
      ),
    simulate: choiceFields.simulate,
    clockHz: choiceFields.clockHz,
  })
  .superRefine(refuseContradictions);
export type Options = z.infer<typeof optionsSchema>;

/** The options that the conversion to C++ reads: those of firmware for open tools do not change what it makes. */
export function conversionOptions({
  precision: _precision,
  levels: _levels,
  simulate: _simulate,
  clockHz: _clockHz,
  ...options
}: Options) {
  return options;
}

interface Settings {
  readonly width?: number | undefined;
  readonly integerBits?: number | undefined;
  readonly reuseFactor?: number | undefined;
  readonly strategy?: string | undefined;
}

function refuseContradictions(
  options: Settings & {
    readonly ioType: string;
    readonly layers: Readonly<Record<string, Settings>>;
  },
  context: z.RefinementCtx,
): void {
  const { layers, ioType, ...all } = options;
  const check = (settings: Settings, path: readonly string[]) => {
    const complain = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [...path, name], message });
    const { strategy, reuseFactor = 1 } = settings;
    if (strategy !== "distributed_arithmetic") return;
    if (reuseFactor !== 1)
      complain("reuseFactor", "Distributed arithmetic has no multipliers to use again: take 1.");
    if (ioType !== "io_parallel")
      complain("ioType", "Distributed arithmetic hands on whole rows: take io_parallel.");
  };
  check(all, []);
  for (const [name, layer] of Object.entries(layers)) {
    check({ strategy: all.strategy, reuseFactor: all.reuseFactor, ...layer }, ["layers", name]);
  }
}

/** @throws {AppError} `OPTION_INVALID`, by name. */
export const parseOptions = (options: unknown): Options => parseBy(optionsSchema, options);
