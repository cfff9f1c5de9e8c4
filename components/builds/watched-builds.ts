import { useSyncExternalStore } from "react";

const key = "boardwalk.notify";
/** More at once nobody waits for. */
const most = 50;

const listeners = new Set<() => void>();
const none: readonly string[] = [];
let known: { readonly text: string | null; readonly ids: readonly string[] } = {
  text: null,
  ids: none,
};

/** Ids of the builds whose end this browser is to tell of, in every tab. */
export function useWatchedBuilds(): readonly string[] {
  return useSyncExternalStore(subscribe, readWatched, () => none);
}

/** Has the end of a build told, or no more. */
export function watchBuild(id: string, isWatched: boolean): void {
  const others = readWatched().filter((each) => each !== id);
  try {
    localStorage.setItem(key, JSON.stringify(isWatched ? [...others, id].slice(-most) : others));
  } catch {
    // Nothing is kept where nothing may be.
  }
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** The same list as long as nothing has changed. */
function readWatched(): readonly string[] {
  let text: string | null = null;
  try {
    text = localStorage.getItem(key);
  } catch {
    return none;
  }
  if (text !== known.text) known = { text, ids: idsOf(text) };
  return known.ids;
}

function idsOf(text: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : none;
  } catch {
    return none;
  }
}
