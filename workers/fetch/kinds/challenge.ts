/** One way to log in that a server offers. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

const mostLetters = 4096;
const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const quoted = /"((?:[^"\\]|\\.)*)"/y;

/** Reads `WWW-Authenticate`, whole or in several headers. What has no such form is left out. @see RFC 9110 §11.6.1 */
export function parseChallenges(header: string | readonly string[] | undefined): Challenge[] {
  const texts = header === undefined ? [] : typeof header === "string" ? [header] : header;
  return texts.flatMap((text) => (text.length > mostLetters ? [] : parseOne(text)));
}

function parseOne(text: string): Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return null;
    at = pattern.lastIndex;
    return found[1] ?? found[0];
  };
  while (at < text.length) {
    take(/[\s,]*/y);
    const word = take(token);
    if (word === null) break;
    // A word with “=” behind it is a parameter of the scheme before it.
    if (take(/\s*=\s*/y) === null) {
      challenges.push({ scheme: word.toLowerCase(), parameters: {} });
      continue;
    }
    const value = take(quoted)?.replaceAll(/\\(.)/g, "$1") ?? take(token);
    const last = challenges.at(-1);
    if (value === null || value === undefined || !last) break;
    last.parameters[word.toLowerCase()] = value;
  }
  return challenges;
}
