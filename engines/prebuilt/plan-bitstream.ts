import { canonicalJson, type FileRole, type Manifest, type Origin } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../engine";
import type { BareBitstream } from "../firmware";
import { bitstreamFileName, fitsPart } from "./bitstreams";
import { filesOf, finishedPlan } from "./finished-plan";
import { optionsSchema, shellFactsOf } from "./options";

const origin: Origin = { kind: "bitstream", proof: "not verified" };
/** Nothing says how long a row takes: a batch must not hold the board. */
const maxBatchSize = 1;

/** The plan of a bitstream of which a person said how it is spoken to. */
export function planBitstream({ header }: BareBitstream, request: PlanRequest): Plan {
  const { board, boardKind, model, sourceDigest, sha256 } = request;
  const options = optionsSchema.parse(request.options);
  requirePart({ header }, request);
  if (boardKind !== "physical") {
    throw fail(
      "FIRMWARE_UNSERVABLE",
      `No simulation comes with a bare bitstream, so no simulated ${board.name} can run it.`,
      { field: "board.kind", hint: `Deploy it on a real ${board.name}.` },
    );
  }
  const uart = board.links.find((link) => link.kind === "uart");
  const { planDigest, clockHz, core, io, vectors } = shellFactsOf(options);
  const baud = options.baud ?? uart?.baud;
  if (!uart || baud === undefined) {
    throw fail(
      "FIRMWARE_UNSERVABLE",
      `A board server speaks with real boards over a serial line, and a ${board.name} has none.`,
      { field: "board" },
    );
  }
  const report = {
    resources: [],
    clockHz,
    latencyCycles: core.latencyCycles,
    notes: notesOf(header),
  };
  const files = new Map<FileRole, { name: string; content: string | Uint8Array }>([
    ["bitstream", { name: bitstreamFileName(header), content: model.bytes }],
    ...(vectors
      ? [["vectors", { name: "vectors.json", content: canonicalJson(vectors) }] as const]
      : []),
    ["report", { name: "report.json", content: canonicalJson({ ...report, origin }) }],
  ]);
  const manifest: Manifest = {
    schemaVersion: 1,
    kind: "firmware",
    engine: "prebuilt",
    boardModel: board.id,
    part: board.part.id,
    planDigest,
    sourceDigest,
    platform: `prebuilt_${board.part.family}`,
    io,
    core,
    clockHz,
    baud,
    maxBatchSize,
    tools: {},
    files: filesOf(files, sha256),
  };
  const contents = new Map([...files].map(([role, { content }]) => [role, content]));
  return finishedPlan({ manifest, files: contents, origin, report }, request);
}

/** @throws {AppError} `FIRMWARE_MISMATCH` for a bitstream of another part. */
export function requirePart(
  { header }: Pick<BareBitstream, "header">,
  { board }: Pick<PlanRequest, "board">,
): void {
  if (fitsPart(header, board.part)) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The bitstream is for ${header.partName ?? header.device}, and a ${board.name} has ${board.part.name}.`,
    { field: "board", hint: "Choose the board that the bitstream was made for." },
  );
}

const notesOf = ({ comments }: BareBitstream["header"]): string[] =>
  comments.slice(0, 8).map((line) => `The bitstream says: ${line.slice(0, 200)}`);
