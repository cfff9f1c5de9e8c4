const key = "boardwalk.seen-code";

/** Whether this browser ever showed the code with which others call an endpoint: a line of the first-hour list. */
export function hasSeenCode(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

export function rememberCode(): void {
  try {
    localStorage.setItem(key, "1");
  } catch {
    // A browser without storage shows no list, so there is nothing to remember.
  }
}
