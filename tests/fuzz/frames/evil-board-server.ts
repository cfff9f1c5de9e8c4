import { createServer, type Socket } from "node:net";
import { isRecord } from "@/lib/common/records";
import { readFrames } from "@/lib/server/board-protocol";
import { randomOf } from "../random-of";
import { frameOf, oddFrame } from "./odd-frames";

const timing = { boardQueueNs: 1, computeNs: 2, cycles: 3 };

/** Listens as a board server does, answers pings, and each call with what no board server says. */
export interface EvilBoardServer {
  /** Its answers are made of these random numbers from now on. */
  answerBy(seed: number, number: number): void;
  close(): void;
}

export async function startEvilBoardServer(path: string): Promise<EvilBoardServer> {
  let by = randomOf(0, 0);
  const sockets = new Set<Socket>();
  const answer = (socket: Socket, head: unknown): void => {
    const { id, ping, revisionId } = isRecord(head) ? head : {};
    if (ping !== undefined) {
      socket.write(frameOf(Buffer.from(JSON.stringify([{ pong: ping }, []])), Buffer.alloc(0)));
    }
    if (id === undefined) return;
    const answers = [
      { id, ok: true, revisionId, timing, clipped: [0], memoryBytes: 9, direct: `${path}-none` },
      { id, ok: false, code: "unavailable", reason: "UPSTREAM_RESET", message: "no" },
    ];
    socket.write(oddFrame(answers[by.integer(0, 1)] as object, by));
    // Else the call would wait until its client gives up.
    socket.end();
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    readFrames(socket, ({ head }) => answer(socket, head));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    answerBy(seed, number) {
      by = randomOf(seed, number);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
