import type { ReactNode } from "react";

/** A part that scrolls in itself, so that it can be reached and scrolled by keyboard. */
export function Scroller({
  label,
  className,
  children,
}: {
  label: string;
  /** With its largest height. */
  className: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className={`overflow-auto ${className}`}
    >
      {children}
    </section>
  );
}
