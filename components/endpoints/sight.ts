/** What the first-hour list asks whether this browser ever showed it, and where that is kept. */
const keys = {
  /** The code with which others call an endpoint. */
  code: "boardwalk.seen-code",
  /** A prediction down to its clock cycles. */
  cycles: "boardwalk.predicted-cycles",
} as const;
type Sight = keyof typeof keys;

/** Whether this browser ever showed it. One without storage shows no list, so nothing is left to do there. */
export function hasSeen(sight: Sight): boolean {
  try {
    return localStorage.getItem(keys[sight]) !== null;
  } catch {
    return true;
  }
}

/** Remembers that this browser showed it. */
export function rememberSight(sight: Sight): void {
  try {
    localStorage.setItem(keys[sight], "1");
  } catch {
    // A browser without storage shows no list, so there is nothing to remember.
  }
}
