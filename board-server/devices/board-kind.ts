import { z } from "zod";
import { fail } from "@/lib/common/errors";
import type { HostFolders } from "../host";
import type { DeviceLoader, LoadedModel } from "./device";

/** What is known of the designs that were put on the boards of this host. */
export interface KnownPlans {
  /** @throws {AppError} `DEVICE_MISMATCH` for a design that was never put on that board. */
  requireOwn(key: string, found: string, wanted: string): void;
  /** A board is about to be programmed: it may be found with any of these. */
  notePlans(key: string, plans: readonly string[]): Promise<void>;
  /** A board says that it runs that plan. */
  confirmPlan(key: string, plan: string): Promise<void>;
}

/** What a board of this host is loaded with. */
export type BoardLoad = Parameters<DeviceLoader>[0] & { readonly plans: KnownPlans };

/** A real board that this host reaches. */
export interface PluggedBoard {
  /** Its name on this server, which stays: `bench-1`. */
  readonly key: string;
  readonly boardModel: string;
  /** The serial line that is this board's, so that nobody adopts it a second time; left out: none. */
  readonly serialPort?: string;
  /** Firmware that it can load; left out: Boardwalk's own. */
  readonly loads?: "bondmachine";
  load(load: BoardLoad): Promise<LoadedModel>;
}

/** A way of reaching real boards. One folder, and one line in `board-kinds.ts`. */
export interface BoardKind {
  /** What an entry of the file that names the boards says as its `kind`. */
  readonly kind: string;
  /**
   * Makes a board of its entry in that file.
   *
   * @throws {ZodError} or {AppError} `OPTION_INVALID` with what is wrong.
   */
  read(entry: unknown, host: HostFolders): PluggedBoard;
}

/** What an entry of every kind has. */
export const entryFields = {
  /** Its name on this server, which stays: `bench-1`. */
  key: z.string().regex(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/),
  boardModel: z.string(),
  kind: z.string().optional(),
};

/** Path of an artifact's bitstream. @throws {AppError} `ARTIFACT_MISMATCH` when it has none. */
export function bitstreamOf({ command: { manifest }, file }: BoardLoad): Promise<string> {
  if (manifest.files.some(({ role }) => role === "bitstream")) return file("bitstream");
  throw fail(
    "ARTIFACT_MISMATCH",
    "This artifact has a project for a vendor's tool, and no bitstream.",
    { hint: "Install the tool where the build worker runs, then build again." },
  );
}
