const keyOf = (endpoint: string) => `boardwalk.draft.${endpoint}`;
/** Longer drafts are gone when the page is left. */
const mostCharacters = 500_000;

/** The request that was being written for an endpoint in this browser; null: none. */
export function readDraft(endpoint: string): string | null {
  try {
    return localStorage.getItem(keyOf(endpoint));
  } catch {
    return null;
  }
}

/** Keeps a draft for the next visit, and for the snippets of the Code tab; null forgets it. */
export function writeDraft(endpoint: string, text: string | null): void {
  try {
    if (text === null || text.length > mostCharacters) localStorage.removeItem(keyOf(endpoint));
    else localStorage.setItem(keyOf(endpoint), text);
  } catch {
    // A browser without storage begins with the sample again.
  }
}
