import { z } from "zod";
import { entryFields } from "../board-kind";

/** An entry of the file that names the boards of a host. */
export const serialBoardSchema = z.strictObject({
  ...entryFields,
  /** Its serial line, best below `/dev/serial/by-id`, where a name stays with the board. */
  serialPort: z.string().startsWith("/"),
  /** What its programmer wants to know, where it does: a device or a cable. */
  device: z.string().optional(),
  cable: z.string().optional(),
  /** A program in the place of the board model's own. */
  programmer: z.string().startsWith("/").optional(),
});

/** A real board on a cable: a program loads it, and its design speaks on a serial line. */
export type SerialBoard = z.infer<typeof serialBoardSchema>;
