import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { adoptedBoardSchema, attachedBoardSchema, trialStepSchema } from "@/lib/common/contract";
import { systemCodeOf } from "@/lib/common/errors";
import { loadCommandSchema, signingKeySchema, slotReportSchema } from "@/lib/server/board-protocol";
import { writeDurably } from "./write-durably";

const journalSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** Null until enrolled. */
  serverId: z.string().nullable(),
  /** Pinned: taken once, and joined only by keys that one of them vouches for. */
  signingKeys: z.array(signingKeySchema),
  controlKeys: z.array(signingKeySchema).default([]),
  adopted: z.array(adoptedBoardSchema).default([]),
  /** Boards at addresses, with what their trials said. */
  attached: z
    .array(z.strictObject({ board: attachedBoardSchema, steps: z.array(trialStepSchema) }))
    .default([]),
  /** Keys of the gateways of other hosts that may call. */
  gateways: z.array(z.string()).default([]),
  /** Plans that each real board may be found with, by its key. */
  plans: z.record(z.string(), z.array(z.string())).default({}),
  slots: z.array(
    z.strictObject({ report: slotReportSchema, command: loadCommandSchema.nullable() }),
  ),
});
/** What a board server knows after a restart. */
export type JournalState = z.infer<typeof journalSchema>;

const empty: JournalState = {
  schemaVersion: 1,
  serverId: null,
  signingKeys: [],
  controlKeys: [],
  adopted: [],
  attached: [],
  gateways: [],
  plans: {},
  slots: [],
};

/** What the server must still know after it was killed, in one file. Writes are in order; the last state wins. */
export class Journal {
  private state: JournalState;
  private readonly file: string;
  private writing: Promise<void> = Promise.resolve();
  private dirty = false;

  private constructor(file: string, state: JournalState) {
    this.file = file;
    this.state = state;
  }

  static async open(stateDir: string): Promise<Journal> {
    const file = path.join(stateDir, "state.json");
    try {
      return new Journal(file, journalSchema.parse(JSON.parse(await readFile(file, "utf8"))));
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") return new Journal(file, empty);
      throw error;
    }
  }

  get current(): JournalState {
    return this.state;
  }

  /** Resolves once the change is on the disk, together with any that came meanwhile. */
  async update(change: Partial<Omit<JournalState, "schemaVersion">>): Promise<void> {
    this.state = { ...this.state, ...change };
    this.dirty = true;
    this.writing = this.writing
      .catch(() => {})
      .then(async () => {
        if (!this.dirty) return;
        this.dirty = false;
        await writeDurably(this.file, JSON.stringify(this.state));
      });
    await this.writing;
  }
}
