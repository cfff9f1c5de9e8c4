/** A change of less than this is the way that the answer took. */
const jitterMs = 500;

/** The database's time, told between two looks at it by a clock that never steps. */
export class Clock {
  private baseMs = performance.timeOrigin;
  /** Whether the database has told the time yet. */
  isSet = false;

  nowMs(): number {
    return this.baseMs + performance.now();
  }

  /** Takes over what the database's clock shows. Answers by how much this one moved, milliseconds. */
  set(databaseMs: number): number {
    const change = databaseMs - this.nowMs();
    this.isSet = true;
    if (Math.abs(change) < jitterMs) return 0;
    this.baseMs += change;
    return change;
  }
}
