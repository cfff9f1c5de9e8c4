import { connect, type Socket } from "node:net";
import { AnswerReader } from "./answer-reader";
import { measureOf, type TimedMeasure } from "./measure";

/** Requests at a rate of their own, whatever is answered. */
export interface SteadyLoad {
  readonly port: number;
  /** Whole requests, sent in turn. */
  readonly messages: readonly Buffer[];
  readonly perSecond: number;
  readonly seconds: number;
}

/** More than are under way at a time unless the server stands still. */
const connections = 32;

/**
 * Asks at a constant rate, as a good client among many would. A request's time counts from when it was to be sent, so that a
 * server which stands still is charged for all that would have come meanwhile.
 */
export async function loadSteadily(load: SteadyLoad): Promise<TimedMeasure> {
  const { port, messages, perSecond, seconds } = load;
  const count = Math.round(perSecond * seconds);
  const took: number[] = [];
  const free = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const all = [...free];
  const due: number[] = [];
  const startMs = performance.now() + 10;
  try {
    await new Promise<void>((resolve, reject) => {
      let next = 0;
      const send = (): void => {
        for (let client = free[0]; client && due.length > 0; client = free[0]) {
          free.shift();
          const dueMs = due.shift() ?? 0;
          client
            .ask(messages[next++ % messages.length] ?? Buffer.alloc(0))
            .then(() => {
              took.push(performance.now() - dueMs);
              free.push(client);
              if (took.length === count) resolve();
              else send();
            })
            .catch(reject);
        }
      };
      let planned = 0;
      const tick = (): void => {
        const nowMs = performance.now();
        for (; planned < count; planned++) {
          const atMs = startMs + (planned * 1000) / perSecond;
          if (atMs > nowMs) break;
          due.push(atMs);
        }
        send();
        if (planned === count) return;
        // Timers may be a millisecond late: the last one before a request is waited for awake.
        const leftMs = startMs + (planned * 1000) / perSecond - nowMs;
        if (leftMs > 2) setTimeout(tick, leftMs - 2);
        else setImmediate(tick);
      };
      tick();
    });
  } finally {
    for (const { socket } of all) socket.destroy();
  }
  return measureOf(took, performance.now() - startMs);
}

interface Client {
  readonly socket: Socket;
  ask(message: Buffer): Promise<void>;
}

function open(port: number): Promise<Client> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const answer = new AnswerReader();
  let waiting: { resolve: () => void; reject: (error: unknown) => void } | null = null;
  const fail = (error: unknown) => waiting?.reject(error);
  socket.on("data", (chunk) => {
    try {
      if (answer.push(chunk) !== null) waiting?.resolve();
    } catch (error) {
      fail(error);
    }
  });
  socket.on("close", () => fail(new Error("the server closed the connection")));
  return new Promise((resolve, reject) => {
    socket.on("error", (error) => {
      reject(error);
      fail(error);
    });
    socket.once("connect", () =>
      resolve({
        socket,
        ask: (message) =>
          new Promise((done, failed) => {
            waiting = { resolve: done, reject: failed };
            socket.write(message);
          }),
      }),
    );
  });
}
