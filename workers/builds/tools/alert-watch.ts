/** Colours of a terminal. */
const colours = /\u001B\[[0-9;]*m/g;
const mostCharacters = 4096;

/** Looks through what a tool says for the line by which it tells that it failed. */
export interface AlertWatch {
  see(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** The first such line, without colours; null where there was none. Ask when the tool has ended. */
  first(): string | null;
}

/** @param pattern What such a line has, as a regular expression. */
export function watchAlerts(pattern: string): AlertWatch {
  const wanted = new RegExp(pattern);
  const open = { stdout: "", stderr: "" };
  let found: string | null = null;
  const judge = (line: string) => {
    const plain = line.replace(colours, "").trim();
    if (found === null && wanted.test(plain)) found = plain.slice(0, 300);
  };
  return {
    see(stream, bytes) {
      const lines = (open[stream] + Buffer.from(bytes).toString("latin1")).split("\n");
      open[stream] = (lines.pop() ?? "").slice(-mostCharacters);
      for (const line of lines) judge(line.slice(0, mostCharacters));
    },
    first() {
      for (const line of Object.values(open)) judge(line);
      return found;
    },
  };
}
