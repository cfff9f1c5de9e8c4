import { connect, type Socket } from "node:net";
import {
  AppError,
  type ErrorCode,
  errorCodes,
  fail,
  type Reason,
  reasons,
} from "@/lib/common/errors";
import {
  type DirectAnswer,
  type DirectCall,
  readFrames,
  type TensorParts,
  writeFrame,
} from "@/lib/server/board-protocol";
import { type LinkAnswer, type LinkCall, LinkError } from "../core";

interface Waiting {
  readonly call: LinkCall;
  readonly startMs: number;
  resolve(answer: LinkAnswer): void;
  reject(error: unknown): void;
}

/**
 * One connection to a model's own socket on this host, for any number of calls at a time: a frame each way and nothing
 * around it.
 */
export class DirectConnection {
  private readonly socket: Socket;
  private readonly waiting = new Map<number, Waiting>();
  private connected = false;
  private nextId = 1;
  /** Set when the connection is gone. */
  private lost: Error | null = null;

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.on("connect", () => {
      this.connected = true;
    });
    this.socket.on("error", (error) => this.lose(error));
    this.socket.on("close", () => this.lose(new Error("the model closed its socket")));
    readFrames(this.socket, ({ head, tensors }) => {
      const answer = head as DirectAnswer;
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (!waiting) return;
      waiting.call.life.onEnd(null);
      if (!answer.ok) {
        waiting.reject(errorOf(answer));
        return;
      }
      const { replica } = waiting.call;
      waiting.resolve({
        revisionId: answer.revisionId,
        outputs: tensors,
        timing: answer.timing,
        // A processor takes every real as it is.
        clipped: null,
        memory: { slotId: replica.slotId, bytes: answer.memoryBytes },
        totalNs: (performance.now() - waiting.startMs) * 1e6,
      });
    });
  }

  /** @throws {LinkError} or what the model refused with. */
  infer(call: LinkCall): Promise<LinkAnswer> {
    const { lost, waiting, socket } = this;
    if (lost) return Promise.reject(new LinkError(false, lost));
    const { life, replica, revisionId, waitMs, requests } = call;
    if (life.ended) return Promise.reject(life.cause);
    const id = this.nextId++;
    return new Promise<LinkAnswer>((resolve, reject) => {
      waiting.set(id, { call, startMs: performance.now(), resolve, reject });
      life.onEnd(() => {
        waiting.delete(id);
        writeFrame(socket, { cancel: id } satisfies DirectCall, []);
        reject(life.cause);
      });
      const head: DirectCall = { id, revisionId, slotEpoch: replica.slotEpoch, waitMs };
      writeFrame(socket, head, joined(requests));
    });
  }

  /** Lets the calls that are under way end, and closes. */
  close(): void {
    if (this.waiting.size === 0) this.socket.destroy();
    else this.socket.end();
  }

  private lose(error: Error): void {
    if (this.lost) return;
    this.lost = error;
    for (const { call, reject } of this.waiting.values()) {
      call.life.onEnd(null);
      reject(new LinkError(this.connected, error));
    }
    this.waiting.clear();
  }
}

/** The inputs of all requests, joined along dimension 0 on the wire and nowhere before. */
function joined(requests: LinkCall["requests"]): TensorParts[] {
  const [first = []] = requests;
  return first.map(({ name, datatype, shape }, index) => {
    const tensors = requests.flatMap((inputs) => inputs[index] ?? []);
    const rows = tensors.reduce((sum, tensor) => sum + (tensor.shape[0] ?? 0), 0);
    return {
      name,
      datatype,
      shape: requests.length === 1 ? shape : [rows, ...shape.slice(1)],
      parts: tensors.map(({ data }) => data),
    };
  });
}

/** In the model's own words where they are for callers. */
function errorOf({ code, reason, message }: Extract<DirectAnswer, { ok: false }>): AppError {
  if (!isCode(code) || !isReason(reason)) return fail("INTERNAL", "the board server failed");
  if (code === "internal") return fail(reason, "the model failed on this request");
  return new AppError(code, message, { reason });
}

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text);
const isReason = (text: string): text is Reason => Object.hasOwn(reasons, text);
