import { createEscaper } from "./escaper";
import { createLineRedactor, createRedactor } from "./redactor";

export interface Pipeline {
  push(bytes: Uint8Array): string[];
  end(): string[];
}

/** One output of one tool: bytes in, safe lines out. The redactor stands before the escaper, and patterns are masked after. */
export function createPipeline(secrets: readonly string[]): Pipeline {
  const redactor = createRedactor(secrets);
  const escaper = createEscaper();
  const redactLine = createLineRedactor();
  return {
    push: (bytes) => escaper.push(redactor.push(bytes)).map(redactLine),
    end: () => [...escaper.push(redactor.end()), ...escaper.end()].map(redactLine),
  };
}
