const key = "boardwalk.predicted-cycles";

/** Whether this browser ever saw a prediction down to its clock cycles: a line of the first-hour list. */
export function hasSeenCycles(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

export function rememberCycles(): void {
  try {
    localStorage.setItem(key, "1");
  } catch {
    // A browser without storage shows no list, so there is nothing to remember.
  }
}
