import { useSyncExternalStore } from "react";

const key = "boardwalk.first-hour";
const changed = "boardwalk:first-hour";

/** What a person has decided about the list of the first hour; null: nothing, so it is there until it is done. */
export type ListChoice = "shown" | "hidden" | null;

function readListChoice(): ListChoice {
  try {
    const kept = localStorage.getItem(key);
    return kept === "shown" || kept === "hidden" ? kept : null;
  } catch {
    return "hidden";
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(changed, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(changed, listener);
    window.removeEventListener("storage", listener);
  };
}

/** The choice of this browser, and the way to change it. On the server, and without storage, the list is hidden. */
export function useListChoice() {
  const choice = useSyncExternalStore(subscribe, readListChoice, (): ListChoice => "hidden");
  const choose = (next: "shown" | "hidden") => {
    try {
      localStorage.setItem(key, next);
    } catch {
      // Without storage nothing is remembered, and nothing shown.
    }
    window.dispatchEvent(new Event(changed));
  };
  return { choice, choose };
}
