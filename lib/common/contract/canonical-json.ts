/**
 * Canonical JSON of plain data, so that equal data has equal bytes: keys sorted by UTF-16 code unit, no white space.
 * `undefined` members are left out; numbers must be finite.
 *
 * @see RFC 8785
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError("JSON has no such number");
  return JSON.stringify(value ?? null);
}
