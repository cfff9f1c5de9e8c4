import type { Statistics } from "../metrics";
import type { BoardLink } from "./board-link";
import type { ServedRevision } from "./route-table";
import { Scheduler } from "./scheduler";

/** The scheduler of each revision that was asked for; it outlives the snapshots that the revision is in. */
export class Schedulers {
  private readonly byRevision = new Map<string, Scheduler>();
  private readonly link: BoardLink;
  private readonly statistics: Statistics;

  constructor(link: BoardLink, statistics: Statistics) {
    this.link = link;
    this.statistics = statistics;
  }

  of(model: string, revision: ServedRevision): Scheduler {
    const known = this.byRevision.get(revision.id);
    if (known) return known;
    const made = new Scheduler(revision, {
      model,
      link: this.link,
      statistics: this.statistics.of(model, revision.version),
    });
    this.byRevision.set(revision.id, made);
    return made;
  }

  /** Takes over a new snapshot's revisions, and closes those that are in it no more. */
  renew(revisions: Iterable<ServedRevision>): void {
    const gone = new Set(this.byRevision.keys());
    for (const revision of revisions) {
      gone.delete(revision.id);
      this.byRevision.get(revision.id)?.renew(revision);
    }
    for (const id of gone) {
      this.byRevision.get(id)?.close();
      this.byRevision.delete(id);
    }
  }
}
