import { type AppError, fail, toAppError } from "@/lib/common/errors";
import { type Caller, longestMs, type Service } from "../core";
import { Life, type Reservation } from "../intake";
import type { Asked } from "../traffic";
import { type DecodedInfer, decodeInfer } from "./decode-infer";
import { encodeStreamAnswer, encodeStreamError } from "./encode-infer";
import { runInfer } from "./infer";
import { namesOf } from "./names";
import { statusOf, textOf } from "./wire/status";
import type { StreamCall } from "./wire/stream-call";

/** Requests of one stream that are under way; more are not read from it yet. */
const mostUnderWay = 64;

/** What the dispatcher does for each message of a stream, as it does for a unary call. */
export interface StreamFront {
  /** @throws {AppError} `UNAUTHENTICATED`, `FORBIDDEN`, `MODEL_NOT_FOUND` */
  permit(model: string): Caller | Promise<Caller>;
  count(model: string | null, code: number, startMs: number): void;
  /** What the traffic of a model counts of a request; null: nothing. */
  begin(model: string): Asked | null;
  end(asked: Asked, fault: AppError | null, startMs: number): void;
}

/**
 * Answers a `ModelStreamInfer`: one answer for each request, in the order of the requests. What is wrong with one is told
 * in its answer; the stream goes on and ends well.
 */
export function answerStream(service: Service, stream: StreamCall, front: StreamFront): void {
  const { call } = stream;
  let underWay = 0;
  let ended = false;
  let broken = false;
  const open: OpenStream = { service, call, front, lives: new Set() };
  call.life.onEnd(() => {
    for (const life of open.lives) life.end(call.life.cause);
  });
  /** Answers leave in the order of their requests: each waits for the one before. */
  let last: Promise<void> = Promise.resolve();

  const finishIfDone = (): void => {
    if (ended && underWay === 0 && !broken) call.end();
  };

  stream.onMessage((bytes, reservation) => {
    underWay++;
    if (underWay >= mostUnderWay) stream.pause();
    const done = answerOne(open, bytes, reservation);
    last = last
      .then(() => done)
      .then(
        (message) => {
          if (!call.life.ended && !broken) call.write(message);
        },
        (error: unknown) => {
          if (broken) return;
          broken = true;
          call.fail(error);
        },
      )
      .then(() => {
        reservation.close();
        underWay--;
        if (underWay === mostUnderWay - 1) stream.resume();
        finishIfDone();
      });
  });
  stream.onEnd(() => {
    ended = true;
    finishIfDone();
  });
}

interface OpenStream {
  readonly service: Service;
  readonly call: StreamCall["call"];
  readonly front: StreamFront;
  /** Each request can be given up by itself, and all when the caller leaves. */
  readonly lives: Set<Life>;
}

/** The answer to one request. What is wrong is told in it, unless the caller wants its stream to end with the error. */
async function answerOne(
  { service, call, front, lives }: OpenStream,
  bytes: Buffer,
  reservation: Reservation,
): Promise<Uint8Array> {
  const startMs = performance.now();
  let decoded: DecodedInfer | null = null;
  let code = 0;
  let asked: Asked | null = null;
  let fault: AppError | null = null;
  const life = new Life();
  lives.add(life);
  const timer = setTimeout(
    () => life.end(fail("DEADLINE_EXCEEDED", `no answer within ${longestMs / 1000} s`)),
    longestMs,
  );
  try {
    decoded = decodeInfer(bytes);
    asked = front.begin(decoded.model);
    const names = namesOf(decoded.model, decoded.version);
    const caller = await front.permit(decoded.model);
    const question = Object.assign(decoded, { names });
    const { headers } = call;
    const done = await runInfer(
      { service, call: { life, headers }, caller, reservation, asked },
      question,
    );
    const isFinal = done.request.parameters.get("triton_enable_empty_final_response") === true;
    const answered = await encodeStreamAnswer(done.response, done.request, {
      isFinal,
      write: (tensor) => service.codec.writeContents(tensor),
    });
    service.meter.countBytes(bytes.length, answered.length);
    return answered;
  } catch (error) {
    fault = toAppError(error);
    ({ code } = statusOf(error));
    // Its token is good no more: that ends the stream, whatever else it asks.
    const isOver = fault.reason === "UNAUTHENTICATED";
    if (isOver || call.headers["triton_grpc_error"] === "true") throw error;
    return encodeStreamError(textOf(toAppError(error)), decoded?.model ?? "", decoded?.id ?? "");
  } finally {
    clearTimeout(timer);
    lives.delete(life);
    front.count(decoded?.model ?? null, code, startMs);
    if (asked) front.end(asked, fault, startMs);
  }
}
