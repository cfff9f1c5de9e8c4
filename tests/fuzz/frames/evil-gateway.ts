import { connect } from "node:net";
import { isErrorCode, isReason } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";
import { readFrames } from "@/lib/server/board-protocol";
import type { Sent } from "./odd-frames";

/** How long a board server may take to say something, or to end the connection, before the next is tried. */
const quietMs = 250;

/** Sends what an evil gateway sends, and answers what came back: reasons of refusals, `ok`, `pong`, or how the connection ended. */
export function converse(path: string, { pieces, end }: Sent): Promise<string[]> {
  return new Promise((resolve) => {
    const told: string[] = [];
    const socket = connect(path);
    const done = (how: string) => {
      clearTimeout(quiet);
      socket.destroy();
      resolve([...told, how]);
    };
    const quiet = setTimeout(() => done("silent"), quietMs);
    socket.on("error", () => {});
    socket.on("close", () => done("closed"));
    readFrames(socket, ({ head }) => {
      told.push(wordOf(head));
      quiet.refresh();
    });
    for (const piece of pieces) socket.write(piece);
    if (end === "half-close") socket.end();
    if (end === "leave") setImmediate(() => socket.destroy());
  });
}

/** A model that is given what no honest gateway lets through may fail: it is told so, in these words. */
function wordOf(head: unknown): string {
  if (!isRecord(head)) return "a fault: no answer";
  if ("pong" in head) return "pong";
  if (head["ok"] === true) return "ok";
  const { code, reason, message } = head;
  if (!isErrorCode(code) || !isReason(reason) || typeof message !== "string")
    return `a fault: ${JSON.stringify(head)}`;
  if (reason === "INTERNAL" && !message.startsWith("The model failed"))
    return `a fault: ${message}`;
  return reason;
}
