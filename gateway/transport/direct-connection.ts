import type { Socket } from "node:net";
import { AppError, fail, isErrorCode, isReason } from "@/lib/common/errors";
import { NumberMap } from "@/lib/common/number-map";
import { isRecord } from "@/lib/common/records";
import { cutText } from "@/lib/common/text";
import {
  type DirectAnswer,
  type DirectCall,
  isCount,
  isLeaving,
  readFrames,
  type TensorParts,
  writeFrame,
} from "@/lib/server/board-protocol";
import { type LinkAnswer, type LinkCall, LinkError } from "../core";

/** Of a refusal's words: they go on to the client. */
const mostCharacters = 1000;

/** What was answered, and where the model itself takes further calls, if it does. */
export interface ConnectionAnswer extends LinkAnswer {
  readonly direct: string | null;
}

interface Waiting {
  readonly call: LinkCall;
  readonly startMs: number;
  resolve(answer: ConnectionAnswer): void;
  reject(error: unknown): void;
}

/**
 * One connection to a board server or to a model's own socket, for any number of calls at a time: a frame each way and
 * nothing around it.
 */
export class DirectConnection {
  private readonly socket: Socket;
  private readonly waiting = new NumberMap<Waiting>();
  private connected = false;
  private closing = false;
  /** The other side said that it begins no further call. */
  private isLeaving = false;
  private nextId = 1;
  /** Set when the connection is gone. */
  private lost: Error | null = null;

  /** @param open Opens the connection, and tells when it may be written to. */
  constructor(open: (onOpen: () => void) => Socket) {
    this.socket = open(() => {
      this.connected = true;
    });
    this.socket.on("error", (error) => this.lose(error));
    this.socket.on("close", () => this.lose(new Error("the other side closed the connection")));
    readFrames(this.socket, ({ head, tensors }) => {
      if (isLeaving(head)) {
        this.isLeaving = true;
        this.close();
        return;
      }
      if (!isRecord(head) || !isCount(head["id"])) {
        this.socket.destroy(new Error("a message is no answer"));
        return;
      }
      const answer = head as DirectAnswer;
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (this.closing) this.close();
      if (!waiting) return;
      waiting.call.life.onEnd(null);
      if (!answer.ok) {
        waiting.reject(errorOf(answer));
        return;
      }
      const { slotId } = waiting.call.replica;
      const { revisionId, timing, clipped = null, memoryBytes, direct = null } = answer;
      waiting.resolve({
        revisionId,
        outputs: tensors,
        timing,
        clipped,
        memory: memoryBytes === undefined ? null : { slotId, bytes: memoryBytes },
        direct,
        totalNs: (performance.now() - waiting.startMs) * 1e6,
      });
    });
  }

  /** Whether nothing can be asked on it any more. */
  get isOver(): boolean {
    return this.isLeaving || this.lost !== null;
  }

  /** @throws {LinkError} or what the other side refused with. */
  infer(call: LinkCall): Promise<ConnectionAnswer> {
    const { waiting, socket } = this;
    if (this.isOver)
      return Promise.reject(new LinkError(false, this.lost ?? new Error("it leaves")));
    const { life, replica, revisionId, waitMs, requests } = call;
    if (life.ended) return Promise.reject(life.cause);
    const id = this.nextId++;
    return new Promise<ConnectionAnswer>((resolve, reject) => {
      waiting.set(id, { call, startMs: performance.now(), resolve, reject });
      life.onEnd(() => {
        waiting.delete(id);
        writeFrame(socket, { cancel: id } satisfies DirectCall, []);
        reject(life.cause);
      });
      const { slotId, slotEpoch } = replica;
      const head: DirectCall = { id, slotId, revisionId, slotEpoch, waitMs };
      writeFrame(socket, head, joined(requests));
    });
  }

  /** Lets the calls that are under way end, and closes. */
  close(): void {
    this.closing = true;
    if (this.waiting.size === 0) this.socket.destroy();
  }

  /** Ends every call that is under way. */
  giveUp(error: Error): void {
    this.socket.destroy(error);
    this.lose(error);
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

/** In the other side's own words where they are for callers. */
function errorOf({ code, reason, message }: Extract<DirectAnswer, { ok: false }>): AppError {
  if (!isErrorCode(code) || !isReason(reason) || typeof message !== "string") {
    return fail("UPSTREAM_MISMATCH", "the board server refused without a reason that is known");
  }
  if (code === "internal") return fail(reason, "the model failed on this request");
  return new AppError(code, cutText(message, mostCharacters), { reason });
}
