import { useTranslations } from "next-intl";
import type { MouseEvent, RefObject } from "react";
import { ErrorNote } from "@/components/ui";
import type { Complaints } from "./draft";
import type { Complaining } from "./use-complaints";

interface ProblemSummaryProps {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly complaints: Complaining;
  readonly onRetry: () => void;
}

/** Above the form: what is wrong with its answers, and why it was not deployed. */
export function ProblemSummary({ place, complaints, onRetry }: ProblemSummaryProps) {
  const t = useTranslations("deploy");
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {complaints.summed ? <ComplaintList complaints={complaints.shown} /> : null}
      {complaints.refusedWhole ? (
        <div className="mb-6">
          <ErrorNote title={t("notDeployed")} error={complaints.refusedWhole} onRetry={onRetry} />
        </div>
      ) : null}
    </div>
  );
}

function ComplaintList({ complaints }: { complaints: Complaints }) {
  const t = useTranslations("deploy");
  const list = Object.entries(complaints);
  if (list.length === 0) return null;
  return (
    <div role="alert" className="mb-6 border-l-2 border-bad py-1 pl-4 text-dense">
      <p className="font-strong">{t("toCorrect", { count: list.length })}</p>
      <ul>
        {list.map(([field, text]) => (
          <li key={field}>
            <a href={`#question-${field}`} onClick={(event) => focusAnswer(event, field)}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Leads to the answer itself, from where it can be put right at once. */
function focusAnswer(event: MouseEvent, field: string): void {
  const question = document.getElementById(`question-${field}`);
  const answer =
    question?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    question?.querySelector<HTMLElement>(
      "input:checked, input:not([disabled], [type=file]), textarea, select, button",
    );
  if (!question || !answer) return;
  event.preventDefault();
  question.scrollIntoView({ block: "start" });
  answer.focus({ preventScroll: true });
}
