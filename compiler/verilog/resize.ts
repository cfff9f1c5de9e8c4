/** `{4'd0, name}` or `name[3:0]`: a signal that is a natural number, at another width. */
export function resize(name: string, from: number, to: number): string {
  if (from > to) return `${name}[${to - 1}:0]`;
  return from === to ? name : `{${to - from}'d0, ${name}}`;
}
