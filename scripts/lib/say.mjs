// Words on the terminal: what is done, how long it took, and a sign of life while it lasts.

const isTerminal = process.stdout.isTTY === true && process.env.CI === undefined;
const colour = (code, text) => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text);

export const dim = (text) => colour("2", text);
export const bold = (text) => colour("1", text);

/** Seconds in words: `0.4 s`, `38 s`, `2 min 05 s`. */
export function duration(ms) {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 100_000) return `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

export function line(text = "") {
  process.stdout.write(`${text}\n`);
}

/** A problem that a person can mend: one sentence that names the fix. It ends the launcher without a stack. */
export class Fixable extends Error {}

/** Runs one step under a title; says how long it took, and that it still goes on every 15 s. */
export async function step(title, work) {
  const started = Date.now();
  const since = () => duration(Date.now() - started);
  let shown = false;
  let note = "";
  const show = () => {
    shown = true;
    process.stdout.write(
      isTerminal
        ? `\r\u001b[2K  ${dim("…")} ${title} ${dim(`${since()}${note && `, ${note}`}`)}`
        : `  … ${title}, ${since()}${note && `, ${note}`}\n`,
    );
  };
  const first = setTimeout(show, 700);
  const again = setInterval(show, isTerminal ? 1000 : 15_000);
  try {
    const answer = await work((text) => {
      note = text;
    });
    const detail = typeof answer === "string" ? ` ${dim(answer)}` : "";
    const clear = isTerminal && shown ? "\r\u001b[2K" : "";
    line(`${clear}  ${colour("32", "✓")} ${title}${detail} ${dim(since())}`);
    return answer;
  } catch (error) {
    if (isTerminal && shown) process.stdout.write("\r\u001b[2K");
    line(`  ${colour("31", "✗")} ${title} ${dim(since())}`);
    throw error;
  } finally {
    clearTimeout(first);
    clearInterval(again);
  }
}

/** Ends a script: a Fixable is one sentence, anything else shows where it came from. */
export function end(error) {
  if (error instanceof Fixable) process.stderr.write(`\n${error.message}\n`);
  else process.stderr.write(`\n${error?.stack ?? error}\n`);
  process.exit(1);
}
