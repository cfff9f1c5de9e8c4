/** A range of line numbers, as a link names it. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Reads `#L120` or `#L120-L140`, in either order; null when it names no line. */
export function parseLineRange(hash: string): LineRange | null {
  const match = /^#?L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash);
  if (!match) return null;
  const one = Number(match[1]);
  const other = match[2] === undefined ? one : Number(match[2]);
  if (one < 1 || other < 1) return null;
  return { first: Math.min(one, other), last: Math.max(one, other) };
}

/** A range as the address has it: `#L12` or `#L12-L20`. */
export function formatLineRange({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`;
}
