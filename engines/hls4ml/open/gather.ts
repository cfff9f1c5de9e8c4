import { z } from "zod";
import { canonicalJson } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { DeriveInput } from "../../engine";
import { adderStepsSchema } from "../../reference/adder-program";
import { files } from "./files";
import { waitFor } from "./latency";
import { emitWrapper } from "./wrapper";

const kifSchema = z.tuple([z.int().min(0).max(1), z.int(), z.int()]);
const wordsSchema = z.strictObject({ size: z.int(), width: z.int(), fraction: z.int() });

/** What a network must be, as the plan says it. */
export const expectedNetworkSchema = z.strictObject({
  input: wordsSchema,
  output: wordsSchema,
  /** What its answer is waited for. */
  stages: z.int(),
  /** Whether da4ml read the model itself and left its program: then its software model is made here, under these names. */
  made: z.strictObject({ input: z.string(), output: z.string() }).optional(),
});
export type ExpectedNetwork = z.infer<typeof expectedNetworkSchema>;

/** What the script says of the network that da4ml made. */
const portsSchema = z.object({
  inputs: z.array(kifSchema),
  outputs: z.array(kifSchema),
  stages: z.int().min(1),
});

/**
 * Makes one text of the wrapper and of the Verilog that da4ml wrote, after holding its ports against the plan.
 *
 * @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID` with what is wrong in the words of a person.
 */
export function gather({ given, text }: DeriveInput): ReadonlyMap<string, string> {
  const expected = expectedNetworkSchema.parse(given);
  const need = (path: string) => {
    const found = text(path);
    if (found === null) throw fail("OUTPUT_MISSING", `da4ml left no ${path}.`);
    return found;
  };
  const { inputs, outputs, stages } = parsePorts(need(files.ports));
  for (const [what, found, wanted] of [
    ["inputs", inputs.length, expected.input.size],
    ["outputs", outputs.length, expected.output.size],
  ] as const) {
    if (found !== wanted)
      throw fail("OUTPUT_INVALID", `da4ml made ${found} ${what}, not ${wanted}.`);
  }
  if (stages > expected.stages) {
    const why = `da4ml made ${stages} stages; the plan waits for ${expected.stages}.`;
    throw fail("OUTPUT_INVALID", why);
  }
  const { input, output } = expected;
  const wrapper = emitWrapper({ input, output, inputs, outputs, wait: waitFor(expected.stages) });
  return new Map([
    [files.core, `${wrapper}\n${ownNames(need(files.network))}`],
    ...(expected.made
      ? [[files.graph, softwareModel(expected, need(files.program))] as const]
      : []),
  ]);
}

/** The program that da4ml left between the edges that the plan has. */
function softwareModel({ input, output, made }: ExpectedNetwork, text: string): string {
  try {
    const steps = adderStepsSchema.parse(JSON.parse(text));
    const edges = {
      input: { ...input, name: made?.input },
      output: { ...output, name: made?.output },
    };
    return canonicalJson({ ...steps, ...edges, schemaVersion: 1, machine: "da4ml", nodes: [] });
  } catch (cause) {
    throw fail("OUTPUT_INVALID", `${files.program} is no program of adders.`, { cause });
  }
}

function parsePorts(text: string): z.infer<typeof portsSchema> {
  try {
    return portsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw fail("OUTPUT_INVALID", `${files.ports} does not say what da4ml made.`, { cause });
  }
}

const itsModules = /\b(binop|multiplier|mux|negative|shift_adder)(\s*#\()/g;

/** Verilog of da4ml without names that a cell of a family or a part of ours may have, and without what simulators alone read. */
export function ownNames(verilog: string): string {
  return verilog
    .replace(/^`timescale.*\n/gm, "")
    .replace(itsModules, (_, name: string, rest: string) => `da4ml_${name}${rest}`);
}
