import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/** Whether the page's scripts run; false as the server draws it. A form that is sent before is sent by the browser, and loses what was typed. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
