import { useEffect, useRef } from "react";

/**
 * Brings the question into view that the page's address names (`#question-serving`), once the form is there; the browser
 * looked for it before.
 *
 * @param isRead Whether the model was read: some questions are asked only then.
 */
export function useQuestionOfAddress(isRead: boolean): void {
  const isDone = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read adds questions
  useEffect(() => {
    const { hash } = window.location;
    if (isDone.current || !hash.startsWith("#question-")) return;
    const question = document.getElementById(hash.slice(1));
    if (!question) return;
    isDone.current = true;
    question.scrollIntoView({ block: "start" });
    question
      .querySelector<HTMLElement>("input:not([disabled]), textarea, select")
      ?.focus({ preventScroll: true });
  }, [isRead]);
}
