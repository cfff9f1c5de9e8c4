import type { LogLine } from "@/lib/common/contract";

const colours = /\u001b\[[0-9;:]*m/g;
// `Warning:` of Yosys and nextpnr, `ERROR:` of both, `core.v:12: Warning: …`, `%Warning-WIDTH:` of Verilator, `core.cpp:12:3: error: …` of g++.
const marks = /^(?:[\w./-]{1,200}(?::\d{1,9}){1,2}:\s{0,4})?%?(warning|error|fatal)\b/i;

/** A WebAssembly tool that broke off, or a native one: what is then printed calls itself nothing. */
const aborts = /^(?:RuntimeError: |RangeError: WebAssembly|terminate called after throwing)/;

/** How serious a tool itself calls a line of its output. */
export function levelOf(text: string): LogLine["level"] {
  const plain = text.replace(colours, "").trimStart();
  const mark = marks.exec(plain)?.[1]?.toLowerCase();
  if (mark === undefined) return aborts.test(plain) ? "error" : "info";
  return mark === "warning" ? "warning" : "error";
}
