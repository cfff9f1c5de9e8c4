import type { ReactNode } from "react";
import { HeadingLink } from "./heading-link";

/** A part of a page: its title, with its link where it has an address, what belongs beside the title, and white space below. */
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
        {id === undefined ? (
          <h2>{title}</h2>
        ) : (
          <div className="flex items-baseline gap-1">
            <h2>{title}</h2>
            <HeadingLink id={id} title={typeof title === "string" ? title : null} />
          </div>
        )}
        {aside}
      </div>
      {children}
    </section>
  );
}
