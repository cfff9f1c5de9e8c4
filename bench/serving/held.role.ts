import { connect, type Socket } from "node:net";
import { AnswerReader } from "./answer-reader";
import {
  callHeaders,
  flags,
  frame,
  frameHeadBytes,
  frames,
  isOk,
  opening,
  prefixed,
} from "./grpc-frames";
import { grpcRequestOf, inferPath } from "./grpc-load";
import type { Held, HeldTask } from "./held";
import { messageOf, requestsOf } from "./http-load";
import { measureOf } from "./measure";
import { inputName, modelName, row } from "./model";

// Holds connections to a gateway, each of which asked once; the arguments are the protocol, the port, how many, and from how many
// addresses. Asked over its channel, it opens them, has some of them come and go, or closes them.
const [, , protocol = "HTTP", port = "", count = "", addresses = ""] = process.argv;
const none: Buffer = Buffer.alloc(0);
/** Asked at a time while they are opened. */
const abreast = 64;
const [json] = requestsOf(modelName, inputName, row);
const httpMessage = messageOf(json);
const grpcMessage = firstCall(grpcRequestOf(modelName, inputName, row));

/** A connection's first bytes: its opening and a call on stream 1. */
function firstCall(message: Uint8Array): Buffer {
  return Buffer.concat([
    opening(),
    frame(frames.headers, flags.endHeaders, 1, callHeaders(inferPath).first),
    frame(frames.data, flags.endStream, 1, prefixed(message)),
  ]);
}

const held: Socket[] = [];
let lost = 0;

/** Opens a connection and asks on it; resolves when it was answered. */
function open(index: number): Promise<Socket> {
  const socket = connect({
    port: Number(port),
    host: "127.0.0.1",
    localAddress: `127.0.1.${1 + (index % Number(addresses))}`,
    noDelay: true,
  });
  return new Promise((resolve, reject) => {
    const isAnswered = protocol === "HTTP" ? httpAnswer() : grpcAnswer(socket);
    socket.on("error", reject);
    socket.on("close", () => {
      lost++;
      reject(new Error("the server closed the connection"));
    });
    socket.on("connect", () => socket.write(protocol === "HTTP" ? httpMessage : grpcMessage));
    socket.on("data", (chunk) => {
      try {
        if (isAnswered(chunk)) resolve(socket);
      } catch (error) {
        reject(error);
      }
    });
  });
}

function httpAnswer(): (chunk: Buffer) => boolean {
  const answer = new AnswerReader();
  return (chunk) => answer.push(chunk) !== null;
}

function grpcAnswer(socket: Socket): (chunk: Buffer) => boolean {
  let pending = none;
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    let isOver = false;
    while (pending.length >= frameHeadBytes) {
      const end = frameHeadBytes + pending.readUIntBE(0, 3);
      if (pending.length < end) break;
      const [type, flag] = [pending[3] ?? 0, pending[4] ?? 0];
      const payload = pending.subarray(frameHeadBytes, end);
      if (type === frames.settings && !(flag & flags.acknowledged)) {
        socket.write(frame(type, flags.acknowledged, 0, none));
      } else if (type === frames.headers && flag & flags.endStream) {
        if (!isOk(payload)) throw new Error(`a call failed: ${payload.toString("hex")}`);
        isOver = true;
      } else if (type === frames.reset || type === frames.goAway) {
        throw new Error(`the server ended the call: ${payload.toString("hex")}`);
      }
      pending = pending.subarray(end);
    }
    return isOver;
  };
}

/** Opens and asks one; the milliseconds that it took, or null when it failed. */
async function renew(index: number): Promise<number | null> {
  const startMs = performance.now();
  try {
    held[index] = await open(index);
    return performance.now() - startMs;
  } catch {
    return null;
  }
}

function close(index: number): void {
  held[index]?.removeAllListeners("close").destroy();
  delete held[index];
}

async function openAll(): Promise<number[]> {
  const took: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < Number(count)) {
      const ms = await renew(next++);
      if (ms !== null) took.push(ms);
    }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return took;
}

/** So many a second leave, and another one comes for each. */
async function churn(perSecond: number, seconds: number): Promise<number[]> {
  const renewals: Promise<number | null>[] = [];
  const startMs = performance.now();
  for (let nowMs = 0; nowMs < seconds * 1000; nowMs = performance.now() - startMs) {
    while (renewals.length < (nowMs / 1000) * perSecond) {
      const index = renewals.length % Number(count);
      close(index);
      renewals.push(renew(index));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return (await Promise.all(renewals)).flatMap((ms) => ms ?? []);
}

async function carryOut(task: HeldTask): Promise<Held> {
  const startMs = performance.now();
  lost = 0;
  const took =
    task.kind === "open"
      ? await openAll()
      : task.kind === "churn"
        ? await churn(task.perSecond, task.seconds)
        : [];
  if (task.kind === "close") for (let index = 0; index < held.length; index++) close(index);
  const open = held.filter((socket) => socket && !socket.destroyed).length;
  return { open, lost, ...measureOf(took, performance.now() - startMs) };
}

process.on("message", (task: HeldTask) => {
  void carryOut(task).then((answer) => process.send?.(answer));
});
process.send?.({ port: 0 });
process.on("disconnect", () => process.exit(0));
