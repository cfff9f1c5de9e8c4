import type { ServerDuplexStream } from "@grpc/grpc-js";
import { toAppError } from "@/lib/common/errors";
import type { Service } from "../core/service";
import { callerOf, lifeOf } from "./call";
import { type DecodedInfer, decodeInfer } from "./decode-infer";
import { encodeStreamAnswer, encodeStreamError } from "./encode-infer";
import { runInfer } from "./infer";
import { statusOf, textOf } from "./status";

type Stream = ServerDuplexStream<Buffer, Uint8Array>;

/** Requests of one stream that are under way; more are not read from it yet. */
const mostUnderWay = 64;

/**
 * Answers a `ModelStreamInfer`: one answer for each request, in the order of the requests. What is wrong with one is told
 * in its answer; the stream goes on and ends well.
 */
export function answerStream(service: Service, stream: Stream): void {
  const { life, settled } = lifeOf(stream);
  let underWay = 0;
  let ended = false;
  let broken = false;
  /** Answers leave in the order of their requests: each waits for the one before. */
  let last: Promise<void> = Promise.resolve();

  const answer = async (bytes: Buffer): Promise<Uint8Array> => {
    let decoded: DecodedInfer | null = null;
    let id = "";
    try {
      decoded = decodeInfer(bytes);
      const { model, request } = decoded;
      await callerOf(service, stream.metadata, "use", model);
      const parsed = request();
      id = parsed.id;
      const done = await runInfer(
        service,
        { ...decoded, request: () => parsed },
        { life, metadata: stream.metadata },
      );
      const isFinal = parsed.parameters.get("triton_enable_empty_final_response") === true;
      return encodeStreamAnswer(done.response, done.request, isFinal);
    } catch (error) {
      if (stream.metadata.get("triton_grpc_error")[0] === "true") throw error;
      return encodeStreamError(textOf(toAppError(error)), decoded?.model ?? "", id);
    }
  };

  const finishIfDone = (): void => {
    if (ended && underWay === 0 && !broken) {
      settled();
      stream.end();
    }
  };

  stream.on("data", (bytes: Buffer) => {
    underWay++;
    if (underWay >= mostUnderWay) stream.pause();
    const done = answer(bytes);
    last = last
      .then(() => done)
      .then(
        (message) => {
          if (!life.ended && !broken) stream.write(message);
        },
        (error: unknown) => {
          if (broken) return;
          broken = true;
          settled();
          stream.emit("error", statusOf(error));
        },
      )
      .then(() => {
        underWay--;
        if (underWay === mostUnderWay - 1) stream.resume();
        finishIfDone();
      });
  });
  stream.on("end", () => {
    ended = true;
    finishIfDone();
  });
  stream.on("error", () => {
    broken = true;
    settled();
  });
}
