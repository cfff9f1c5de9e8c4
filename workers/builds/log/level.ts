import type { LogLine } from "@/lib/common/contract";

const colours = /\u001b\[[0-9;:]*m/g;
// `Warning:` of Yosys and nextpnr, `ERROR:` of both, `core.v:12: Warning: …`, `%Warning-WIDTH:` of Verilator, `core.cpp:12:3: error: …` of g++.
const marks = /^(?:[\w./-]{1,200}(?::\d{1,9}){1,2}:\s{0,4})?%?(warning|error|fatal)\b/i;

/** How serious a tool itself calls a line of its output. */
export function levelOf(text: string): LogLine["level"] {
  const mark = marks.exec(text.replace(colours, "").trimStart())?.[1]?.toLowerCase();
  if (mark === undefined) return "info";
  return mark === "warning" ? "warning" : "error";
}
