import { useSyncExternalStore } from "react";

/** What is behind the number sign of the address; null on the server, which never sees it. */
export function useHash(): string | null {
  return useSyncExternalStore(
    (onChange) => {
      addEventListener("hashchange", onChange);
      return () => removeEventListener("hashchange", onChange);
    },
    () => location.hash.slice(1),
    () => null,
  );
}
