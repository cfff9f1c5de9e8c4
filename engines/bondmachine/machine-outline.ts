import { z } from "zod";
import { numberTypes } from "../reference/number-type";
import type { MachineForm } from "./parts";
import type { LayerSizes, MachineSizes } from "./sizes";

/** Shares of `prune` that an outline has counts for: each hundredth from 0 to 1. */
export const pruneSteps = 100;

const count = z.int().nonnegative();

const layersSchema = z.array(
  z.object({
    processors: count,
    relu: z.boolean(),
    /** Connections that are left at each step of `prune`, and those of the widest processor. */
    left: z.array(z.tuple([count, count])).length(pruneSteps + 1),
  }),
);

/** Of a network: sizes of the machine that it becomes, without its weights. Other processes make it. */
export const machineOutlineSchema = z.object({
  inputs: count,
  outputs: count,
  /** What `auto` comes to, by the rows that an inspection has. */
  usual: z.enum(numberTypes),
  /** Of words, whose first layer reads standardised values, and of floats. */
  fixed: layersSchema,
  float: layersSchema,
  /** Least and largest of the scores of those rows, where a machine can make probabilities of them; else why it cannot. */
  softmax: z.union([z.tuple([z.number(), z.number()]), z.string()]),
});
/** What a machine is forecast from. */
export type MachineOutline = z.infer<typeof machineOutlineSchema>;

/** The machine's sizes with small connections left out. @param prune 0..1, as the option has it. */
export function sizesAt(
  { inputs, outputs, fixed, float }: MachineOutline,
  {
    isFloat,
    prune,
    form,
    softmaxTerms,
  }: {
    readonly isFloat: boolean;
    readonly prune: number;
    readonly form: MachineForm;
    /** Left out: the host does the softmax, or there is none. */
    readonly softmaxTerms?: number | undefined;
  },
): MachineSizes {
  const step = Math.min(pruneSteps, Math.max(0, Math.floor(prune * pruneSteps + 1e-9)));
  return {
    form,
    inputs,
    outputs,
    layers: [
      ...(isFloat ? float : fixed).map(({ processors, relu, left }) => {
        const [connections, widest] = left[step] ?? [0, 0];
        return { processors, relu, connections, widest };
      }),
      ...(softmaxTerms === undefined ? [] : [softmaxSizes(outputs, softmaxTerms)]),
    ],
  };
}

const softmaxSizes = (scores: number, softmaxTerms: number): LayerSizes => ({
  ...{ processors: scores, relu: false, connections: scores * scores, widest: scores },
  softmaxTerms,
});
