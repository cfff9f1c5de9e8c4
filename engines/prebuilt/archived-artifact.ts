import { type BoardModel, findBoardModel } from "@/boards";
import { fitsPart, readBitstream } from "@/boards/bitstreams";
import { sniff } from "@/compiler";
import { type Manifest, type Report, reportSchema } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import type { Archive, ArchivedArtifact } from "../firmware";
import { portFault } from "./check-port";

/** Names that mean the same in every file system, shell and header. */
const plainName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/**
 * Holds what a manifest claims against the catalogue and against its files: a signature says who made them, and not that
 * they go together.
 *
 * @throws {AppError} `ARTIFACT_INVALID`, `BOARD_UNKNOWN`, `FIRMWARE_MISMATCH`, and those of reading a bitstream.
 */
export function readArchivedArtifact(archive: Archive): ArchivedArtifact {
  const { manifest, files } = archive;
  requireRoles(manifest);
  const board = findBoardModel(manifest.boardModel);
  if (!board) {
    throw fail(
      "BOARD_UNKNOWN",
      `The artifact is for "${shown(manifest.boardModel)}", which is no board model here.`,
    );
  }
  requirePart(manifest, board);
  const isCpu = board.part.flow.kind === "cpu";
  if (isCpu !== (manifest.kind === "model")) {
    throw wrong(`its kind is ${manifest.kind}, and ${board.name} is ${isCpu ? "a" : "no"} CPU`);
  }
  const fault = manifest.core && portFault(manifest.io, manifest.core);
  if (fault) throw wrong(fault);
  const model = files.get("model");
  if (isCpu && (!model || sniff(model) !== "onnx")) throw wrong("its model is no ONNX file");
  const bitstream = files.get("bitstream");
  if (bitstream) requireBitstream(bitstream, board);
  return { kind: "archive", ...archive, report: reportOf(files.get("report")) };
}

/** An error in the manifest of an archive. */
export function wrong(what: string): AppError {
  return fail("ARTIFACT_INVALID", `The artifact in the archive is invalid: ${what}.`, {
    hint: "Export it again where it was made.",
  });
}

function requireRoles({ files }: Manifest): void {
  const roles = new Set(files.map(({ role }) => role));
  if (roles.size !== files.length) throw wrong("two of its files have the same role");
  const odd = files.find(({ name }) => !plainName.test(name));
  if (odd) throw wrong(`its ${odd.role} file has the name "${shown(odd.name)}"`);
}

function requirePart({ part }: Manifest, board: BoardModel): void {
  const wanted = board.part.flow.kind === "cpu" ? undefined : board.part.id;
  if (part === wanted) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The artifact is for ${part ? `the part ${shown(part)}` : "no part"}, and a ${board.name} has ${wanted ?? "none"}.`,
  );
}

function requireBitstream(bytes: Uint8Array, board: BoardModel): void {
  const header = readBitstream(bytes);
  // Families whose bitstreams are not read yet.
  if (!header || fitsPart(header, board.part)) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The bitstream is for ${shown(header.partName ?? header.device)}, and a ${board.name} has ${board.part.name}.`,
  );
}

function reportOf(bytes: Uint8Array | undefined): Report {
  if (!bytes) return { resources: [] };
  try {
    return reportSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw wrong("its report cannot be read");
  }
}

/** A text of the archive, fit for a sentence. */
const shown = (text: string): string => showText(cutText(text, 80));
