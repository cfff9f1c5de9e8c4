import { readFile } from "node:fs/promises";
import { z } from "zod";
import { findBoardModel } from "@/boards";
import { fail } from "@/lib/common/errors";

const pluggedBoardSchema = z.strictObject({
  /** Its name on this server, which stays: `bench-1`. */
  key: z.string().regex(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/),
  boardModel: z.string(),
  /** Its serial line, best below `/dev/serial/by-id`, where a name stays with the board. */
  serialPort: z.string().startsWith("/"),
  /** What its programmer wants to know, where it does: a device or a cable. */
  device: z.string().optional(),
  cable: z.string().optional(),
  /** A program in the place of the board model's own. */
  programmer: z.string().startsWith("/").optional(),
});

/** A real board on a cable of this host. */
export type PluggedBoard = z.infer<typeof pluggedBoardSchema>;

const fileSchema = z.strictObject({ boards: z.array(pluggedBoardSchema).max(64) });

/**
 * Reads the file that names the boards of this host: `{"boards": [{"key", "boardModel", "serialPort", …}]}`.
 *
 * @throws {AppError} `BOARD_UNKNOWN`, `OPTION_INVALID` with what is wrong and where.
 */
export async function readPluggedBoards(file: string): Promise<readonly PluggedBoard[]> {
  const problem = (why: string, cause?: unknown) =>
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
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw problem(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  const { boards } = parsed.data;
  const keys = new Set<string>();
  for (const { key, boardModel, programmer } of boards) {
    if (keys.has(key)) throw problem(`two boards are called ${key}`);
    keys.add(key);
    const model = findBoardModel(boardModel);
    if (!model) throw fail("BOARD_UNKNOWN", `There is no board model "${boardModel}".`);
    if (!model.programmer && !programmer) {
      throw problem(`no programmer of ${model.name} is known: name one as "programmer"`);
    }
  }
  return boards;
}
