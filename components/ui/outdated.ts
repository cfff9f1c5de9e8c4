import { useSyncExternalStore } from "react";

let isOutdated = false;
const listeners = new Set<() => void>();

/** Says whether pages may show what is so no more; the event stream knows. */
export function setOutdated(is: boolean): void {
  if (is === isOutdated) return;
  isOutdated = is;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Whether what is shown may be old, because nobody can be reached: what breaks something waits until then. */
export const useOutdated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isOutdated,
    () => false,
  );
