import type { ReactNode } from "react";
import { ToneIcon } from "@/components/ui";

/** One numbered question of the form with its answer, and what is wrong with it. */
export function Question({
  number,
  title,
  field,
  complaint,
  labelFor,
  children,
}: {
  number: ReactNode;
  title: ReactNode;
  field: string;
  complaint?: string | undefined;
  labelFor?: string;
  children: ReactNode;
}) {
  return (
    <section
      id={`question-${field}`}
      className="grid grid-cols-[28px_minmax(0,1fr)] pb-9 tablet:grid-cols-[40px_minmax(0,1fr)]"
    >
      <div aria-hidden="true" className="text-section leading-[1.35] font-strong text-muted">
        {number}
      </div>
      <div>
        <h2 id={`title-${field}`} className="mb-2 text-body leading-normal">
          {labelFor ? <label htmlFor={labelFor}>{title}</label> : title}
        </h2>
        {children}
        {complaint ? (
          <p id={`error-${field}`} className="mt-2 flex items-baseline gap-2 text-dense text-bad">
            <ToneIcon tone="bad" />
            <span>{complaint}</span>
          </p>
        ) : null}
      </div>
    </section>
  );
}
