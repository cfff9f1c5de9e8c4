import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Longest wait for a server that says nothing. */
const patienceMs = 60_000;

/** What came back for bytes written to a socket, until the server closed it. */
export interface RawAnswer {
  readonly text: string;
  /** The statuses of all answers, in order. */
  readonly statuses: readonly number[];
  /** False: the server neither answered to the end nor closed. */
  readonly closed: boolean;
}

/** Writes bytes, and reads until the server closes the connection. */
export function exchange(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return readAll(socket);
}

/**
 * Begins a request on a connection of its own; the function that it answers sends the rest, and reads until the server closes the
 * connection. A server that leaves has not seen the end of it, but keeps its connection.
 */
export async function begin(port: number, request: string): Promise<() => Promise<RawAnswer>> {
  const socket = connect(port, "127.0.0.1");
  const answer = readAll(socket);
  const at = 8;
  await new Promise<unknown>((resolve) => socket.write(request.slice(0, at), resolve));
  return () => {
    socket.write(request.slice(at));
    return answer;
  };
}

function readAll(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString("latin1");
      const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, code]) =>
        Number(code),
      );
      resolve({ text, statuses, closed });
    };
    const timer = setTimeout(() => done(false), patienceMs);
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => done(true));
  });
}

/** Writes bytes and breaks the connection off. */
export async function breakOff(port: number, bytes: string, how: "reset" | "close"): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(Buffer.from(bytes, "latin1"));
  await new Promise((resolve) => setImmediate(resolve));
  if (how === "reset") socket.resetAndDestroy();
  else socket.destroy();
}
