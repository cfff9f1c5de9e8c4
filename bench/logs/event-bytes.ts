import { createHash } from "node:crypto";

const boundary = Buffer.from("\n\n");
const dataMark = Buffer.from("\ndata: ");
const timeMark = Buffer.from('"time":"');
const logMark = Buffer.from("\nevent: log\n");
const endMark = Buffer.from("event: end\n");
const timeLength = "2026-01-01T00:00:00.000Z".length;

/** Lines of how many the time of arrival is looked at: reading each would cost more than taking it. */
const timedOf = 10;

/** What a viewer saw of one build's log, whatever it was cut into: its lines in order, hashed as they came. */
export class SeenLog {
  /** `<attempt>:<n>` of the last line. */
  cursor = "";
  lines = 0;
  /** Lines that did not follow on the one before. */
  gaps = 0;
  ended = false;
  /** Between a line's time and its arrival, ms. */
  readonly delaysMs: number[] = [];
  private readonly hash = createHash("sha256");
  private rest: Buffer = Buffer.alloc(0);

  /** A new answer begins: half an event of the one before is of no use. */
  reopen(): void {
    this.rest = Buffer.alloc(0);
  }

  push(chunk: Buffer): void {
    const now = Date.now();
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    for (;;) {
      const end = bytes.indexOf(boundary, at);
      if (end < 0) break;
      this.event(bytes.subarray(at, end), now);
      at = end + boundary.length;
    }
    this.rest = at === 0 ? bytes : Buffer.from(bytes.subarray(at));
  }

  /** Of every line as the API writes it, each with a newline: what `format=jsonl` answers. */
  get digest(): string {
    return this.hash.copy().digest("hex");
  }

  private event(bytes: Buffer, now: number): void {
    const named = bytes.indexOf(logMark);
    if (named < 0) {
      if (bytes.indexOf(endMark) === 0) this.ended = true;
      return;
    }
    const data = bytes.subarray(bytes.indexOf(dataMark, named) + dataMark.length);
    this.cursor = bytes.toString("latin1", "id: ".length, named);
    const n = Number(this.cursor.slice(this.cursor.indexOf(":") + 1));
    if (n !== this.lines + 1) this.gaps += 1;
    this.lines = n;
    this.hash.update(data).update("\n");
    if (n % timedOf !== 0) return;
    const time = data.indexOf(timeMark) + timeMark.length;
    this.delaysMs.push(now - Date.parse(data.toString("latin1", time, time + timeLength)));
  }
}
