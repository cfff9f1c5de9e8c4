import type { AnsweredRequest } from "@/domain/traffic";
import { uuidv7 } from "@/lib/server/db";
import type { Asked, AskedEnd } from "./asked";

/** Requests of an endpoint between two writes: as many as are kept. */
const mostOfEndpoint = 200;
/** Of all endpoints together, and bytes of their bodies. */
const mostOfAll = 4000;
const mostBodyBytes = 16 << 20;
/** The longest text of an error, and id of a caller, that is kept. */
const longestText = 500;
const longestId = 200;

type Noted = {
  -readonly [Name in keyof Omit<AnsweredRequest, "id" | "at">]: AnsweredRequest[Name];
} & {
  atMs: number;
};

interface Ring {
  readonly entries: Noted[];
  /** Where the next one goes. */
  next: number;
}

/**
 * The last requests of each endpoint since the last write. Beyond what is kept, the oldest gives its place to the newest, so
 * a busy endpoint costs no more than a quiet one.
 */
export class LastRequests {
  private rings = new Map<string, Ring>();
  private count = 0;
  private bodyBytes = 0;
  /** Taken and not written yet. */
  private waiting: AnsweredRequest[] = [];

  note(asked: Asked, end: AskedEnd, nowMs: number): void {
    const { endpointId: id } = asked;
    let ring = this.rings.get(id);
    if (!ring) {
      ring = { entries: [], next: 0 };
      this.rings.set(id, ring);
    }
    const { entries } = ring;
    if (ring.next >= entries.length) {
      const isFull = entries.length >= mostOfEndpoint || this.count >= mostOfAll;
      if (isFull && entries.length === 0) return;
      if (isFull) ring.next = 0;
      else {
        entries.push(blank());
        this.count++;
      }
    }
    const entry = entries[ring.next++] as Noted;
    this.bodyBytes -= entry.body?.length ?? 0;
    this.write(entry, asked, end, nowMs);
    this.bodyBytes += entry.body?.length ?? 0;
  }

  /** What is to be written. It waits until `done`, or until what is newer takes its place. */
  take(): readonly AnsweredRequest[] {
    const fresh = [...this.rings.values()].flatMap(({ entries }) =>
      entries.map(
        ({ atMs, ...entry }): AnsweredRequest => ({ id: uuidv7(), at: isoOf(atMs), ...entry }),
      ),
    );
    this.rings = new Map();
    this.count = 0;
    this.bodyBytes = 0;
    this.waiting = withinBytes([...this.waiting, ...fresh].slice(-mostOfAll));
    return this.waiting;
  }

  done(): void {
    this.waiting = [];
  }

  private write(entry: Noted, asked: Asked, end: AskedEnd, nowMs: number): void {
    const { endpointId, keepsPayloads, timing, body } = asked;
    const { error, status, seconds } = end;
    const fits = body !== null && this.bodyBytes + body.length <= mostBodyBytes;
    entry.atMs = nowMs - seconds * 1000;
    entry.endpointId = endpointId;
    entry.protocol = asked.protocol;
    entry.status = status;
    entry.reason = error?.reason ?? null;
    entry.message = error && textOf(error.message, keepsPayloads);
    entry.revision = asked.revision;
    entry.slotId = uuidOf(asked.slotId);
    entry.latencyUs = Math.round(Math.min(seconds, 2000) * 1e6);
    entry.rows = timing === null ? 0 : asked.rows;
    entry.requestId = storable(asked.requestId).slice(0, longestId);
    entry.body = fits ? body : null;
  }
}

/** A moment to the microsecond: requests come faster than milliseconds. */
function isoOf(ms: number): string {
  const us = Math.floor((ms % 1) * 1000);
  return new Date(ms).toISOString().replace("Z", `${String(us).padStart(3, "0")}Z`);
}

/** The same requests, the oldest without the bodies for which there is no room. */
function withinBytes(requests: readonly AnsweredRequest[]): AnsweredRequest[] {
  let bytes = 0;
  return requests
    .toReversed()
    .map((request) => {
      bytes += request.body?.length ?? 0;
      return bytes > mostBodyBytes ? { ...request, body: null } : request;
    })
    .toReversed();
}

const blank = (): Noted => ({
  atMs: 0,
  endpointId: "",
  protocol: "http",
  status: 0,
  reason: null,
  message: null,
  revision: 0,
  slotId: null,
  latencyUs: 0,
  rows: 0,
  requestId: "",
  body: null,
});

/** Errors quote names and words out of the request: they are left out where no payloads are kept. */
function textOf(message: string, isWhole: boolean): string {
  const text = storable(isWhole ? message : message.replace(/'[^']*'|"[^"]*"/g, "‘…’"));
  return text.replace(/\s+/g, " ").slice(0, longestText);
}

/** Postgres stores no zero characters, and JSON no halves of surrogate pairs. */
const storable = (text: string): string =>
  text.replaceAll("\0", "").replace(/\p{Cs}/gu, "\u{fffd}");

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uuidOf = (id: string | null): string | null => id?.match(uuid)?.[0] ?? null;
