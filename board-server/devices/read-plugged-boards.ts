import { readFile } from "node:fs/promises";
import { z } from "zod";
import { findBoardModel } from "@/boards";
import { fail, isAppError } from "@/lib/common/errors";
import type { HostFolders } from "../host";
import { entryFields, type PluggedBoard } from "./board-kind";
import { boardKinds } from "./board-kinds";

const fileSchema = z.strictObject({ boards: z.array(z.looseObject(entryFields)).max(64) });

type Problem = (why: string, cause?: unknown) => Error;

/**
 * Reads the file that names the boards of this host: `{"boards": [{"key", "boardModel", "kind", …}]}`.
 *
 * @throws {AppError} `BOARD_UNKNOWN`, `OPTION_INVALID` with what is wrong and where.
 */
export async function readPluggedBoards(
  file: string,
  host: HostFolders,
): Promise<readonly PluggedBoard[]> {
  const problem: Problem = (why, cause) =>
    fail("OPTION_INVALID", `${file} does not name boards: ${why}.`, {
      hint: 'It looks like {"boards": [{"key": "bench-1", "boardModel": "icebreaker", "serialPort": "/dev/serial/by-id/…"}]}.',
      cause,
    });
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw problem("it cannot be read as JSON", cause);
  }
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) throw problem(firstOf(parsed.error));
  const { boards } = parsed.data;
  const twice = boards.find(({ key }, at) => boards.findIndex((one) => one.key === key) !== at);
  if (twice) throw problem(`two boards are called ${twice.key}`);
  return boards.map((entry, at) => read(entry, { at, host, problem }));
}

/** One board, by the kind that its entry names. */
function read(
  entry: z.infer<typeof fileSchema>["boards"][number],
  { at, host, problem }: { readonly at: number; host: HostFolders; problem: Problem },
): PluggedBoard {
  const { boardModel, kind: word = boardKinds[0].kind } = entry;
  const model = findBoardModel(boardModel);
  if (!model) {
    throw fail("BOARD_UNKNOWN", `There is no board model "${boardModel}".`);
  }
  const kind = boardKinds.find((each) => each.kind === word);
  if (!kind) {
    const known = boardKinds.map((each) => each.kind).join(", ");
    throw problem(`there is no kind "${word}" of boards, but ${known}`);
  }
  try {
    return kind.read({ ...entry, boardModel: model.id }, host);
  } catch (error) {
    if (error instanceof z.ZodError) throw problem(firstOf(error, `boards.${at}.`));
    if (isAppError(error) && error.reason === "OPTION_INVALID") throw problem(error.message, error);
    throw error;
  }
}

function firstOf({ issues: [issue] }: z.ZodError, before = ""): string {
  return `${before}${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
}
