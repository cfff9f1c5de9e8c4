import type { BoardModel } from "@/boards";
import { bitstreamFileName } from "@/boards/bitstreams";
import { canonicalJson, type Origin } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import type { Plan, PlanRequest } from "../engine";
import type { BareBitstream } from "../firmware";
import { requirePart } from "../require-part";
import { unsignedPlan } from "./finished-plan";
import { type Options, optionsSchema, shellFactsOf } from "./options";

const origin: Origin = { kind: "bitstream", proof: "not verified" };

/** The plan of a bitstream of which a person said how it is spoken to. */
export function planBitstream({ header }: BareBitstream, request: PlanRequest): Plan {
  const { board, model } = request;
  const options = optionsSchema.parse(request.options);
  requirePart(header, board);
  requireReal("a bare bitstream", request);
  const { vectors, ...shell } = shellFactsOf(options);
  const { clockHz, core } = shell;
  return unsignedPlan(
    {
      ...shell,
      ...lineOf(board, options),
      platform: `prebuilt_${board.part.family}`,
      files: new Map([
        ["bitstream", { name: bitstreamFileName(header), content: model.bytes }],
        ...(vectors
          ? [["vectors", { name: "vectors.json", content: canonicalJson(vectors) }] as const]
          : []),
      ]),
      origin,
      report: { resources: [], clockHz, latencyCycles: core.latencyCycles, notes: notesOf(header) },
    },
    request,
  );
}

/** @throws {AppError} `FIRMWARE_UNSERVABLE` for a simulated board, which needs more than a bitstream. */
export function requireReal(
  what: string,
  { board, boardKind }: Pick<PlanRequest, "board" | "boardKind">,
): void {
  if (boardKind === "physical") return;
  throw fail(
    "FIRMWARE_UNSERVABLE",
    `No simulation comes with ${what}, so no ${boardKind} ${board.name} can run it.`,
    { field: "board.kind", hint: `Deploy it on a real ${board.name}.` },
  );
}

/** The baud of a board's serial line; nothing of one whose registers are read. */
function lineOf(
  { name, links: [link] }: BoardModel,
  { baud }: Options,
): { readonly baud?: number } {
  if (link?.kind === "uart") return { baud: baud ?? link.baud };
  if (link?.kind === "axi" || link?.kind === "pcie") return {};
  throw fail(
    "FIRMWARE_UNSERVABLE",
    `A board server speaks with real boards over serial lines and AXI, and a ${name} has neither.`,
    { field: "board" },
  );
}

const notesOf = ({ comments }: BareBitstream["header"]): string[] =>
  comments.slice(0, 8).map((line) => `The bitstream says: ${showText(cutText(line, 200))}`);
