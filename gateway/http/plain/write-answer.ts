import { STATUS_CODES } from "node:http";
import type { Answer } from "../answers";

const dateEveryMs = 1000;
let date = "";
let dateSinceMs = Number.NEGATIVE_INFINITY;

/** The time as HTTP has it, made once a second. */
function dateText(): string {
  const nowMs = performance.now();
  if (nowMs - dateSinceMs >= dateEveryMs) {
    date = new Date().toUTCString();
    dateSinceMs = nowMs;
  }
  return date;
}

/** Tabs and printable ASCII: nothing that ends a line. */
const headerValue = /^[\t -~]*$/;

/** @param keepAliveS How long the connection is kept for another request; 0: it is closed. */
function headOf({ status, headers }: Answer, keepAliveS: number): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n`;
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string" && !headerValue.test(value))
      throw new Error(`the header ${name} cannot be sent`);
    head += `${name}: ${value}\r\n`;
  }
  const connection = keepAliveS === 0 ? "close" : `keep-alive\r\nKeep-Alive: timeout=${keepAliveS}`;
  return `${head}Date: ${dateText()}\r\nConnection: ${connection}\r\n\r\n`;
}

/** A whole answer in one piece: it is sent by one call of the system. */
export function answerBytes(answer: Answer, keepAliveS: number): Buffer {
  const { body } = answer;
  const head = headOf(answer, keepAliveS);
  const bodyBytes = Number(answer.headers["content-length"]);
  const bytes = Buffer.allocUnsafe(head.length + bodyBytes);
  bytes.write(head, "latin1");
  if (typeof body === "string") {
    bytes.write(body, head.length, bodyBytes === body.length ? "latin1" : "utf8");
  } else bytes.set(body, head.length);
  return bytes;
}
