import type { Reason } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";
import type { AuditDeed } from "./types";
import { writeEntry } from "./write";

// Whoever is refused may go on for ever, and costs no more rows for it: of refusals that are alike, the first is written at once, and
// how many followed when the window is over. Those beyond the number of kinds are counted as one.

const windowMs = 10 * 60_000;

interface Counted {
  deed: AuditDeed;
  readonly reason: Reason;
  /** Since the last entry. */
  times: number;
}

/** How entries of refusals are written; a test gives its own. */
type Write = (deed: AuditDeed, reason: Reason, times: number) => Promise<void>;

/** Counts refusals that are alike, so that they fill no disk. */
export class Refusals {
  private readonly kinds = new Map<string, Counted>();
  private readonly mostKinds: number;
  private readonly write: Write;
  private timer: NodeJS.Timeout | undefined;

  constructor({
    mostKinds,
    write = writeRefusal,
  }: { readonly mostKinds: number; readonly write?: Write }) {
    this.mostKinds = mostKinds;
    this.write = write;
  }

  /** Takes note of a refusal; never throws, since nothing was done. */
  async note(deed: AuditDeed, reason: Reason): Promise<void> {
    this.timer ??= setTimeout(() => void this.end(), windowMs).unref();
    const own = JSON.stringify([deed.actor, deed.action, reason, deed.address, keyOf(deed)]);
    const isBeyond = !this.kinds.has(own) && this.kinds.size >= this.mostKinds;
    const [key, noted] = isBeyond ? [beyond, anybody(deed)] : [own, deed];
    const known = this.kinds.get(key);
    if (known) {
      known.deed = noted;
      known.times++;
      return;
    }
    this.kinds.set(key, { deed: noted, reason, times: 0 });
    await this.tryWrite(noted, reason, 1);
  }

  /** Ends the window: writes what was counted, and counts anew. */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counted = [...this.kinds.values()].filter(({ times }) => times > 0);
    this.kinds.clear();
    for (const { deed, reason, times } of counted) await this.tryWrite(deed, reason, times);
  }

  private async tryWrite(deed: AuditDeed, reason: Reason, times: number): Promise<void> {
    try {
      await this.write(deed, reason, times);
    } catch (err) {
      const { action, requestId } = deed;
      logger().error(
        { err, action, requestId, reason, times },
        "a refusal is not in the audit log",
      );
    }
  }
}

const beyond = "beyond";

const keyOf = ({ claim, target }: AuditDeed): string =>
  claim?.email ?? (claim?.resetDigest ?? claim?.tokenDigest)?.toString("hex") ?? target.id ?? "";

/** What is left of a refusal that is one of too many. */
const anybody = (deed: AuditDeed): AuditDeed => ({
  ...deed,
  actor: { kind: "nobody", id: null },
  projectId: null,
  action: "refusals.others",
  target: { noun: null, id: null, name: null },
  claim: null,
  address: null,
});

const writeRefusal: Write = (deed, reason, times) =>
  writeEntry(deed, { result: "refused", reason, times });
