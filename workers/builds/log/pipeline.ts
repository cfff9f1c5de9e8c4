import { createEscaper, maxLineLength } from "./escaper";
import { createLineRedactor } from "./redactor";

/** Turns the raw output of a tool into lines that may be shown; `end` gives what lacked its newline. */
export interface Pipeline {
  push(bytes: Uint8Array): string[];
  end(): string[];
}

const cutMark = " … (line cut)";
/** The beginning of a colour or mark, as a cut may leave it. */
const openSequence = /(?:\u001b(?:\[[0-9;:]*)?|<(?:U(?:\+[0-9A-F]{0,4})?)?)$/;

/**
 * One output of one tool: bytes in, safe lines out. Secrets are masked in what is shown, so the escaper stands first;
 * lines are cut last, so that none is cut in the middle of a secret that is then not known any more.
 */
export function createPipeline(secrets: readonly string[]): Pipeline {
  const redactor = createLineRedactor(secrets);
  const escaper = createEscaper(redactor.overlap + 1);
  const finish = (line: string) => {
    const shown = redactor.redact(line, maxLineLength);
    return line.length <= maxLineLength ? shown : shown.replace(openSequence, "") + cutMark;
  };
  return {
    push: (bytes) => escaper.push(bytes).map(finish),
    end: () => escaper.end().map(finish),
  };
}
