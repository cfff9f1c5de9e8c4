import type { Role } from "./roles";

/** What a gateway holds once its garbage is collected. */
export interface Look {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Buffers, outside of the heap. */
  readonly externalBytes: number;
  /** Whatever keeps its event loop awake: sockets, servers, timers. */
  readonly handles: number;
  readonly connections: number;
}

/** Has a `many-gateway` collect its garbage and tell what it holds. */
export const look = (gateway: Role): Promise<Look> => askRole(gateway, {});

/** Asks a role over its channel; one question at a time. */
export function askRole<T>({ child }: Role, question: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error("the process ended"));
    child.once("exit", ended);
    child.once("message", (answer) => {
      child.off("exit", ended);
      resolve(answer as T);
    });
    child.send(question);
  });
}
