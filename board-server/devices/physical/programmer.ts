import { dirname } from "node:path";
import { getBoardModel } from "@/boards";
import { fail } from "@/lib/common/errors";
import { findOnPath, runChild } from "@/lib/server/process";
import type { SerialBoard } from "./serial-board";

const limitMs = 120_000;
const keptBytes = 4000;

/**
 * Loads a bitstream on a board by the program that its model names, or by the one that was configured.
 *
 * @throws {AppError} `TOOL_MISSING`, `DEVICE_FAILED` with the program's last words.
 */
export async function program(board: SerialBoard, bitstream: string): Promise<void> {
  const { programmer, name } = getBoardModel(board.boardModel);
  const command = board.programmer ?? programmer?.command ?? "";
  const path = command.startsWith("/") ? command : findOnPath(command);
  if (path === null) {
    throw fail("TOOL_MISSING", `${command}, which loads ${name}, is not on PATH.`, {
      hint: `Install ${command} on the host of the board.`,
    });
  }
  const fills: Readonly<Record<string, string | undefined>> = {
    file: bitstream,
    device: board.device,
    cable: board.cable,
  };
  const args = programmer?.args.map((arg) =>
    arg.replace(/\$\{(\w+)\}/g, (_, key: string) => {
      const value = fills[key];
      if (value !== undefined) return value;
      throw fail("OPTION_INVALID", `Board ${board.key} does not say its ${key}.`, {
        hint: `Give "${key}" in the file that names the boards.`,
      });
    }),
  );
  let output = "";
  const { exitCode, end } = await runChild({
    argv: [path, ...(args ?? [bitstream])],
    cwd: dirname(bitstream),
    env: { PATH: `${dirname(path)}:/usr/local/bin:/usr/bin:/bin`, LANG: "C.UTF-8" },
    wallMs: limitMs,
    onOutput: (_, bytes) => {
      output = (output + bytes.toString()).slice(-keptBytes);
    },
  });
  if (exitCode === 0 && end === null) return;
  const why = end === null ? `ended with status ${exitCode}` : "took too long";
  const words = output.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  throw fail("DEVICE_FAILED", `${command} ${why} for board ${board.key}: ${words}`, {
    hint: "Check the cable, and that this user may open the device.",
    details: { output },
  });
}
