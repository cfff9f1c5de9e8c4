import type { Manifest, Report } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../engine";
import type { ArchivedArtifact } from "../firmware";
import { boardKindsOf } from "./board-kinds";
import { finishedPlan } from "./finished-plan";

/** The plan of an artifact that another installation made: its manifest and files, byte for byte. */
export function planArchive(archive: ArchivedArtifact, request: PlanRequest): Plan {
  const { manifest, maker, files, report } = archive;
  const { board, options } = request;
  if (Object.keys(options).length > 0) {
    throw fail("OPTION_INVALID", "An archive says all of its artifact by itself.", {
      field: "options",
      hint: "Leave the options out.",
    });
  }
  if (manifest.boardModel !== board.id) {
    throw fail(
      "FIRMWARE_MISMATCH",
      `The artifact is for the board model ${manifest.boardModel}, not for ${board.id}.`,
      { field: "board", hint: `Deploy it on ${manifest.boardModel}.` },
    );
  }
  requireLoadable(manifest, request);
  return finishedPlan(
    {
      manifest,
      files,
      origin: {
        kind: "archive",
        proof:
          "made by another installation; its proof is in its report there and was not repeated here",
        maker,
      },
      report: unproven(report),
    },
    request,
  );
}

/** @throws {AppError} `FIRMWARE_UNSERVABLE` where nothing in it is for such a board. */
function requireLoadable(manifest: Manifest, { board, boardKind }: PlanRequest): void {
  const kinds = boardKindsOf(manifest);
  if (kinds.includes(boardKind)) return;
  const what = boardKind === "simulated" ? "simulation" : "bitstream";
  const others = kinds.join(" or ");
  throw fail(
    "FIRMWARE_UNSERVABLE",
    `No ${what} comes with the artifact, so no ${boardKind} ${board.name} can run it.`,
    {
      field: "board.kind",
      ...(others === "" ? {} : { hint: `Deploy it on a ${others} ${board.name}.` }),
    },
  );
}

/** A report without what only those who measured it can vouch for. */
function unproven({
  proof: _proof,
  accuracy: _accuracy,
  simulatedCyclesPerSecond: _speed,
  ...report
}: Report): Report {
  return report;
}
