import { systemCodeOf } from "./system-code";

/** Where an unexpected error comes from, as far as may be told to whoever met it. */
export type CauseCategory = "connection" | "files" | "resources" | "data" | "program";

const bySystemCode: Readonly<Record<string, CauseCategory>> = {
  ECONNREFUSED: "connection",
  ECONNRESET: "connection",
  EHOSTUNREACH: "connection",
  ENETUNREACH: "connection",
  ENOTFOUND: "connection",
  EAI_AGAIN: "connection",
  EPIPE: "connection",
  ETIMEDOUT: "connection",
  EACCES: "files",
  EEXIST: "files",
  ENOENT: "files",
  ENOTDIR: "files",
  EPERM: "files",
  EROFS: "files",
  EDQUOT: "resources",
  EMFILE: "resources",
  ENFILE: "resources",
  ENOMEM: "resources",
  ENOSPC: "resources",
};

/** The category of anything thrown: what the system said, else by the kind of error. */
export function causeCategory(error: unknown): CauseCategory {
  const known = bySystemCode[systemCodeOf(error) ?? ""];
  if (known) return known;
  const name = error instanceof Error ? error.name : "";
  return name === "ZodError" || name === "$ZodError" || name === "SyntaxError" ? "data" : "program";
}

/** The categories in words, as what follows a colon. */
export const categoryWords = {
  connection: "a connection between its parts broke",
  files: "a file could not be read or written",
  resources: "the machine ran out of memory, disk space or open files",
  data: "stored or received data did not have the expected form",
  program: "there is a fault in its program",
} as const satisfies Record<CauseCategory, string>;
