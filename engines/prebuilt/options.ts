import { z } from "zod";
import {
  type ArtifactIo,
  corePortSchema,
  digestSchema,
  ioSchema,
  type Manifest,
  type Vectors,
  vectorsSchema,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { portFault } from "./check-port";

/** Said of a bare bitstream: how its design is spoken to. An archive says all of it in its manifest. */
export const optionsSchema = z.strictObject({
  planDigest: digestSchema
    .optional()
    .meta({ title: "Identity" })
    .describe("The digest that the design names in its identity frame. The board is asked for it."),
  clockHz: z
    .number()
    .int()
    .min(1_000)
    .max(1e9)
    .optional()
    .meta({ title: "Clock, Hz" })
    .describe("What the design's clock runs at."),
  baud: z
    .number()
    .int()
    .min(300)
    .max(50_000_000)
    .optional()
    .meta({ title: "Baud" })
    .describe("Of its serial line. Left out: the board's."),
  core: corePortSchema
    .optional()
    .meta({ title: "Core" })
    .describe("Bytes of a row, in and out, and cycles."),
  io: ioSchema
    .optional()
    .meta({ title: "Tensors" })
    .describe("Inputs and outputs, and their grids."),
  vectors: vectorsSchema
    .optional()
    .meta({ title: "Test rows" })
    .describe("Rows with right answers, which loading tries some of."),
});
export type Options = z.infer<typeof optionsSchema>;

/** All that a board server must know of a design to speak with it. */
export interface ShellFacts {
  readonly planDigest: NonNullable<Options["planDigest"]>;
  readonly clockHz: number;
  readonly core: NonNullable<Manifest["core"]>;
  readonly io: ArtifactIo;
  readonly vectors: Vectors | null;
}

const needed = ["planDigest", "clockHz", "core", "io"] as const;

/**
 * What the options of a bare bitstream say of its shell.
 *
 * @throws {AppError} `FIRMWARE_UNSERVABLE` where they say nothing; `FIRMWARE_METADATA_INVALID`
 */
export function shellFactsOf(options: Options): ShellFacts {
  const { planDigest, clockHz, core, io, vectors } = options;
  if (planDigest && clockHz && core && io) {
    const fault = portFault(io, core) ?? (vectors ? vectorFault(vectors, core) : null);
    if (fault) throw metadataFault("options.io", fault);
    return { planDigest, clockHz, core, io, vectors: vectors ?? null };
  }
  const missing = needed.filter((name) => options[name] === undefined);
  if (missing.length < needed.length) {
    throw metadataFault(`options.${missing[0]}`, `${missing.join(", ")} missing`);
  }
  throw fail(
    "FIRMWARE_UNSERVABLE",
    "Only firmware that speaks Boardwalk's serial or AXI shell can be served, and nothing says that this does.",
    {
      field: "options",
      hint: `Say how it is spoken to: ${needed.join(", ")}. Firmware of another Boardwalk comes as an archive, which says it by itself.`,
    },
  );
}

function vectorFault({ rows, inputs, outputs }: Vectors, core: ShellFacts["core"]): string | null {
  const bytesOf = (base64: string) =>
    (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);
  const isWhole =
    bytesOf(inputs) === rows * core.inputBytes && bytesOf(outputs) === rows * core.outputBytes;
  return isWhole ? null : "its test rows are not whole rows of its core";
}

function metadataFault(field: string, what: string) {
  return fail(
    "FIRMWARE_METADATA_INVALID",
    `What is said of the bitstream does not hold: ${what}.`,
    {
      field,
      hint: "The manifest of an artifact for the same board shows how all of it looks.",
    },
  );
}
