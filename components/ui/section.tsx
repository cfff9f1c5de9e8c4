import type { ReactNode } from "react";

/** A part of a page: its title, what belongs beside the title, and white space below. */
export function Section({
  title,
  aside,
  children,
  id,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <section className="mb-12" id={id}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
