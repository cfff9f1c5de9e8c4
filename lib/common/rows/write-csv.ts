/** What a cell may hold. */
export type Cell = string | number | boolean | null;

/**
 * What spreadsheets take for a formula when a cell begins with it, white space and full-width forms included.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^[\s\u00a0]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * One record of a CSV file with its line end, as RFC 4180 has it. Text that a spreadsheet would run gets an apostrophe in
 * front, which makes it text there too; numbers stay numbers.
 */
export function writeCsvRecord(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

function writeCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
