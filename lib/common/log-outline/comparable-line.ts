import { plainLine } from "./plain-line";

/** A day and a time, as tools write them: ISO 8601, or as `date` does. */
const times =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?|(?:\w{3} )?\w{3} +\d{1,2} \d\d:\d\d:\d\d(?: \d{4})?|\d{1,3}:\d\d(?::\d\d)(?:\.\d+)?/g;
/** How long something took: `0.03s`, `12 ms`, `1.5 seconds`. Nanoseconds are delays of the design, and stay. */
const durations = /(?<![\d.])\d+(?:\.\d+)?\s?(?:seconds?|secs?|minutes?|m?s|min)(?![\w/])/g;
/** How much memory, or how many cycles a second, this machine had for it. */
const machine =
  /(?<![\d.])\d+(?:\.\d+)?\s?[KMGkmg]i?B(?![\w/])|(?<![\d.])\d+(?:\.\d+)? cycles a second/g;
/** Folders that are made for one attempt, up to the name of what lies in them. */
const folders = /(?:\/(?:private|var|dev))?\/(?:tmp|shm)\/[^\s"'`:;,)\]]*(?=\/)|\bbw-[\w.-]+/g;
const ids =
  /\b(?:bld|rev|upl|mdl)_[0-9a-f-]{8,}|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** What Yosys says of the shares of its passes: their order changes from run to run. */
const shares = /^(\s*Time spent:).*$/;

/** A log line without colours and without what differs between two equal runs: times, memory, temporary folders and ids. */
export function comparableLine(line: string): string {
  return plainLine(line)
    .replace(shares, "$1")
    .replace(ids, "<id>")
    .replace(times, "<time>")
    .replace(durations, "<time>")
    .replace(machine, "<machine>")
    .replace(folders, "<folder>")
    .replace(/\s+/g, " ")
    .trim();
}
