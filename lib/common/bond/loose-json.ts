/**
 * Texts, and the words that Python writes where JSON has others; all else stays as it is. A text that does not end takes the
 * rest, so that no other is looked for in it again and again.
 */
const token =
  /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|'[^'\\]*(?:\\.[^'\\]*)*(?:'|\\?$)|\bNone\b|\bTrue\b|\bFalse\b|\bNaN\b|-?\bInfinity\b/gs;

const words: Readonly<Record<string, string>> = { None: "null", True: "true", False: "false" };

/**
 * Reads JSON as the original servers write and take it: by Python, with its own words and perhaps single quotes. What is no
 * number (`NaN`, `Infinity`) becomes null.
 *
 * @throws {SyntaxError}
 */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(text.replace(token, strict));
  }
}

function strict(found: string): string {
  if (found.startsWith('"')) return found;
  if (!found.startsWith("'")) return words[found] ?? "null";
  const inside = found.slice(1, -1).replace(/\\'/g, "'");
  return `"${inside.replace(/(?<!\\)"/g, '\\"')}"`;
}
