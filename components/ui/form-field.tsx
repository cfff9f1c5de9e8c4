import type { ReactNode } from "react";

/** A label, what is typed or chosen below it, and a hint, which `ID-hint` describes. */
export function FormField({
  id,
  label,
  hint,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <label htmlFor={id} className="label mb-1 block">
        {label}
      </label>
      {children}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-dense text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
