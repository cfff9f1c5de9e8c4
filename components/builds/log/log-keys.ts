import type { KeyboardEvent } from "react";
import type { LogView } from "./use-log-view";

/** What keys do while the log has the focus: Ctrl or Command with F finds, and so on by single letters. */
export function onLogKey(event: KeyboardEvent, view: LogView): void {
  const withCommand = event.metaKey || event.ctrlKey;
  if (event.key === "f" && withCommand && !view.find.isOpen) {
    event.preventDefault();
    view.find.open();
    return;
  }
  const isTyping =
    event.target instanceof Element && event.target.closest("input, select, [role=menu]") !== null;
  if (isTyping || withCommand || event.altKey) return;
  const act = actionOf(event.key, view);
  if (!act) return;
  act();
  event.preventDefault();
}

function actionOf(key: string, { find, following, problems, toStart, stepStage }: LogView) {
  switch (key) {
    case "f":
    case "G":
      return following.start;
    case "g":
      return toStart;
    case "/":
      return find.open;
    case "n":
      return find.next;
    case "N":
      return find.previous;
    case "e":
      return problems.next;
    case "E":
      return problems.previous;
    case "]":
      return () => stepStage(1);
    case "[":
      return () => stepStage(-1);
    default:
      return null;
  }
}
