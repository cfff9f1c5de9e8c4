"use client";

import { useSyncExternalStore } from "react";

let nowMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = Date.now();
    timer = setInterval(() => {
      nowMs = Date.now();
      for (const tell of listeners) tell();
    }, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present, to the second; one timer for the whole tab. 0 until the browser has taken over. */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => (nowMs === 0 ? (nowMs = Date.now()) : nowMs),
    () => 0,
  );
}
