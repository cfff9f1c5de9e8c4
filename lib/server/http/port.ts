import type { Server } from "node:net";

/** The TCP port that a server listens on. @throws {RangeError} when it listens on none: on a socket's path, or not yet. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new RangeError("The server has no port.");
  }
  return address.port;
}
