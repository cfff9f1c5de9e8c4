import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { fail } from "@/lib/common/errors";
import { Life } from "../../core/life";
import { longestMs } from "../../core/scheduler";
import { statusOf } from "../status";
import { acceptedEncodings, framed } from "./messages";
import { timeoutMs } from "./timeout";

/** The longest timer that there is. */
const forever = 2 ** 31 - 1;

/** A caller that is refused while it still sends has so long to read why. */
const lastWordsMs = 100;

const okTrailers = { "grpc-status": "0" };

/** One call on an HTTP/2 stream: its headers, how long it lives, and its way to an end. */
export class GrpcCall {
  readonly headers: IncomingHttpHeaders;
  /** Address and port of the caller. */
  readonly peer: string;
  /** Ends when the caller is gone, its deadline has passed, or the longest time a call may take is over. */
  readonly life = new Life();
  /** Sent before the first message. */
  readonly answerHeaders: OutgoingHttpHeaders = {};

  private readonly stream: ServerHttp2Stream;
  private readonly timer: NodeJS.Timeout;
  private begun = false;
  private ended = false;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    { peer, endless = false }: { readonly peer: string; readonly endless?: boolean },
  ) {
    this.stream = stream;
    this.headers = headers;
    this.peer = peer;
    const ownMs = timeoutMs(headers["grpc-timeout"] as string | undefined) ?? forever;
    const mostMs = Math.min(ownMs, endless ? forever : longestMs);
    this.timer = setTimeout(() => {
      this.life.end(fail("DEADLINE_EXCEEDED", "the deadline of the call has passed"));
    }, mostMs);
    stream.on("error", () => {});
    stream.on("close", () => {
      clearTimeout(this.timer);
      // An error costs a look at the stack: not for calls that were answered.
      if (!this.ended) this.life.end(fail("CANCELLED", "the caller is gone"));
    });
  }

  /** Sends a message and, for a unary call, the good end with it. */
  write(message: Uint8Array): void {
    if (this.stream.closed || this.stream.destroyed) return;
    this.begin();
    this.stream.write(framed(message));
  }

  /** Ends well. `last` is sent before. */
  end(last?: Uint8Array): void {
    if (this.over()) return;
    this.begin();
    if (last) this.stream.end(framed(last));
    else this.stream.end();
  }

  /** Ends with the status of whatever was thrown. Answers its code. */
  fail(thrown: unknown): number {
    const { code, text, reason } = statusOf(thrown);
    if (this.over()) return code;
    const trailers = {
      "grpc-status": String(code),
      "grpc-message": percentEncoded(text),
      "boardwalk-code": reason,
    };
    if (this.begun) {
      this.stream.removeAllListeners("wantTrailers");
      this.stream.on("wantTrailers", () => this.stream.sendTrailers(trailers));
      this.stream.end();
      return code;
    }
    this.stream.respond(
      { ...headOf(this.answerHeaders), "grpc-accept-encoding": acceptedEncodings, ...trailers },
      { endStream: true },
    );
    // What the caller still sends is not wanted; the connection stays.
    if (!this.stream.readableEnded) {
      this.stream.resume();
      setTimeout(() => this.stream.close(constants.NGHTTP2_NO_ERROR), lastWordsMs).unref();
    }
    return code;
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.stream.respond(headOf(this.answerHeaders), { waitForTrailers: true });
    this.stream.on("wantTrailers", () => this.stream.sendTrailers(okTrailers));
  }

  private over(): boolean {
    const was = this.ended || this.stream.closed || this.stream.destroyed;
    this.ended = true;
    clearTimeout(this.timer);
    return was;
  }
}

const headOf = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders => ({
  ":status": 200,
  "content-type": "application/grpc",
  ...headers,
});

/** Printable ASCII but `%` stays as it is. @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
function percentEncoded(text: string): string {
  return text.replace(/[^ -$&-~]+/g, (part) =>
    [...Buffer.from(part)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}
