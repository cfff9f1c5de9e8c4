import { setFlagsFromString } from "node:v8";

/**
 * Lets what outlives a request grow to four times what is alive before V8 marks it all again. Bodies count there from their
 * first byte, and in a process whose own heap is some ten MiB a few dozen messages of 64 KiB reached the usual limit: V8
 * marked the whole heap 25 times a second, for half of what the process took of the processor.
 */
export function collectSeldom(): void {
  setFlagsFromString("--heap-growing-percent=300");
}
