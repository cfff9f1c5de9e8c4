import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 mark what is alive in the turns of the event loop, not by threads of its own. For a process that waits for
 * messages with a heap of some ten MiB: large bodies make V8 mark dozens of times a second, and on a machine of few cores
 * its threads then take the one that the loop runs on. Slower where a heap is large.
 */
export function markWithoutThreads(): void {
  setFlagsFromString("--no-concurrent-marking");
}
