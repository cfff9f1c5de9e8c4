import type { Socket } from "node:net";
import { fail } from "@/lib/common/errors";
import { longestMs } from "../../core";
import { Life } from "../../intake";
import { errorCodes, type Field, type Headers, type Http2Stream, writeHeaders } from "./http2";
import { acceptedEncodings, prefixOf } from "./messages";
import { statusOf } from "./status";
import { timeoutMs } from "./timeout";

/** The longest timer that there is. */
const forever = 2 ** 31 - 1;

/** A caller that is refused while it still sends has so long to read why. */
const lastWordsMs = 100;

const headFields: readonly Field[] = [
  [":status", "200"],
  ["content-type", "application/grpc"],
];
const plainHead = writeHeaders(headFields);
const okTrailers = writeHeaders([["grpc-status", "0"]]);

/** What is worth another try in a second. */
const comesBack: ReadonlySet<string> = new Set(["RATE_LIMITED", "MEMORY_FULL", "QUEUE_FULL"]);

/** Who calls, and whether the call may last for ever. */
export interface CallOptions {
  readonly client: string;
  readonly socket: Socket;
  /** No deadline but the caller's own. */
  readonly endless?: boolean;
}

/** One call on an HTTP/2 stream: its headers, how long it lives, and its way to an end. */
export class GrpcCall {
  readonly headers: Headers;
  /** Whom the caller's address stands for. */
  readonly client: string;
  /** The connection that it came on. */
  readonly socket: Socket;
  /** Ends when the caller is gone, its deadline has passed, or the longest time a call may take is over. */
  readonly life = new Life();
  /** Sent before the first message. */
  readonly answerHeaders: Record<string, string> = {};

  private readonly stream: Http2Stream;
  private readonly timer: NodeJS.Timeout;
  private begun = false;
  private ended = false;

  constructor(stream: Http2Stream, { client, socket, endless = false }: CallOptions) {
    this.stream = stream;
    this.headers = stream.headers;
    this.client = client;
    this.socket = socket;
    const ownMs = timeoutMs(this.headers["grpc-timeout"]) ?? forever;
    const mostMs = Math.min(ownMs, endless ? forever : longestMs);
    this.timer = setTimeout(() => {
      this.life.end(fail("DEADLINE_EXCEEDED", "the deadline of the call has passed"));
    }, mostMs);
  }

  /** To be called when the stream is over. */
  onClose(): void {
    clearTimeout(this.timer);
    // An error costs a look at the stack: not for calls that were answered.
    if (!this.ended) this.life.end(fail("CANCELLED", "the caller is gone"));
  }

  /** Sends one message of several. */
  write(message: Uint8Array): void {
    if (this.stream.closed) return;
    this.begin();
    this.stream.send(prefixOf(message));
    this.stream.send(bufferOf(message));
  }

  /** Ends well. `last` is sent before. */
  end(last?: Uint8Array): void {
    if (this.over()) return;
    if (last && !this.begun) {
      this.stream.answer(this.head(), [prefixOf(last), bufferOf(last)], okTrailers);
      return;
    }
    if (last) this.write(last);
    else this.begin();
    this.stream.end(okTrailers);
  }

  /** Ends with the status of whatever was thrown. Answers its code. */
  fail(thrown: unknown): number {
    const { code, text, reason } = statusOf(thrown);
    if (this.over()) return code;
    const trailers: Field[] = [
      ["grpc-status", String(code)],
      ["grpc-message", percentEncoded(text)],
      ["boardwalk-code", reason],
      ...(comesBack.has(reason) ? [["retry-after", "1"] as const] : []),
    ];
    if (this.begun) this.stream.end(writeHeaders(trailers));
    else {
      const answered: Field[] = [...headFields, ["grpc-accept-encoding", acceptedEncodings]];
      this.stream.respond(writeHeaders([...answered, ...trailers]), true);
    }
    // What the caller still sends is not wanted; the connection stays.
    if (!this.stream.closed) {
      setTimeout(() => this.stream.reset(errorCodes.none), lastWordsMs).unref();
    }
    return code;
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.stream.respond(this.head());
  }

  private head(): Buffer {
    const own = Object.entries(this.answerHeaders);
    return own.length === 0 ? plainHead : writeHeaders([...headFields, ...own]);
  }

  private over(): boolean {
    const was = this.ended || this.stream.closed;
    this.ended = true;
    clearTimeout(this.timer);
    return was;
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Printable ASCII but `%` stays as it is. @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
function percentEncoded(text: string): string {
  return text.replace(/[^ -$&-~]+/g, (part) =>
    [...Buffer.from(part)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}
