const key = "boardwalk.predicted";

/** Whether a prediction was ever sent from this browser: a line of the first-hour list. */
export function hasPredicted(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

export function rememberPrediction(): void {
  try {
    localStorage.setItem(key, "1");
  } catch {
    // A browser without storage shows no list, so there is nothing to remember.
  }
}
