import type { Quantity } from "./format";

/** A number with its unit, smaller and muted, after a thin space. */
export function Amount({ value, unit }: Quantity) {
  return (
    <span className="whitespace-nowrap">
      {value}
      {unit === "" ? null : <span className="unit">{unit}</span>}
    </span>
  );
}
