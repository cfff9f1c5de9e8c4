import type { KeyboardEvent } from "react";

/** Moves between the links that open rows, and marks the row of the one that has the focus. */
export function walk(event: KeyboardEvent<HTMLElement>): void {
  const link = event.target;
  if (!(link instanceof HTMLElement) || !link.classList.contains("row-link")) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(".row-link")];
  const steps: Record<string, number> = {
    ArrowDown: links.indexOf(link) + 1,
    ArrowUp: links.indexOf(link) - 1,
    Home: 0,
    End: links.length - 1,
  };
  const next = steps[event.key];
  if (next !== undefined) links[next]?.focus();
  else if (event.key === " ") link.closest("tr, [data-row]")?.querySelector("input")?.click();
  else return;
  event.preventDefault();
}
