"use client";

import { type ComponentProps, useState } from "react";

/**
 * A field of one value. While somebody types, it shows what they typed and not what was understood of it: a point at the end of
 * a number must not vanish. What is typed is told at once.
 */
export function CellField({
  value,
  onType,
  invalid,
  className = "",
  ...rest
}: {
  value: string;
  onType: (typed: string) => void;
  invalid: boolean;
} & Omit<ComponentProps<"input">, "value" | "onChange">) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...rest}
      type="text"
      spellCheck={false}
      autoComplete="off"
      className={`field h-8 px-2 font-mono text-dense ${className}`}
      aria-invalid={invalid || undefined}
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value);
        onType(event.target.value);
      }}
      onBlur={(event) => {
        setTyped(null);
        rest.onBlur?.(event);
      }}
    />
  );
}
