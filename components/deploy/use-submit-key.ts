import { useEffect, useRef } from "react";

/** Sends the form by Ctrl or Command with Enter from anywhere on the page, but for dialogs that lie over it. */
export function useSubmitKey(submit: () => void): void {
  const latest = useRef(submit);
  useEffect(() => {
    latest.current = submit;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isKey = event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.repeat;
      if (!isKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
