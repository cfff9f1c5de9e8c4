const colours = /\x1b\[[0-9;:]*m/g;
/** Whatever else starts with an escape, and control characters that a line cannot hold. */
const leftovers =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?|[\x00-\x08\x0b-\x1f\x7f]/g;

/** A log line without its colours, as it was drawn last: what is searched, copied and recognised. */
export function plainLine(line: string): string {
  if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) return line;
  const drawn = line.replace(/\r+$/, "");
  return drawn
    .slice(drawn.lastIndexOf("\r") + 1)
    .replace(colours, "")
    .replace(leftovers, "");
}
