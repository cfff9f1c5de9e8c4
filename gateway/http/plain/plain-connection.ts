import type { Socket } from "node:net";
import { fail } from "@/lib/common/errors";
import { clientOf } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { longestMs } from "../../core";
import { BodyCollector, Life, type Reservation, tellSmallRequest } from "../../intake";
import type { Answer } from "../answers";
import type { PlainCall, PlainHost, PlainRoute } from "./plain-host";
import { mostHeadBytes, type PlainHead, readPlainHead } from "./read-head";
import { answerBytes } from "./write-answer";

/** The head of a request with what was found out about it, and its bytes: most clients send the same again and again. */
interface KnownHead extends PlainHead {
  readonly route: PlainRoute;
  readonly bytes: Buffer;
}

interface Reading {
  readonly head: KnownHead;
  readonly collector: BodyCollector;
  readonly reservation: Reservation;
}

const headEnd = "\r\n\r\n";
/** What comes before the answer to the request before it is kept up to here; then no more is read. */
const mostAheadBytes = 8 * 1024;
/** Closing at once could reset the last answer away. */
const lastWordsMs = 1000;
const none = Buffer.alloc(0);

/**
 * A connection whose requests are plain ones so far: read here, answered by the dispatcher, written in one piece. With the first
 * other request the connection is handed to Node's server, with all that was read of that request, and stays there.
 */
export class PlainConnection {
  /** What it waits for, since `sinceMs`: its first or next request, a body, an answer, that an answer has left, or its end. */
  private state: "new" | "idle" | "reading" | "answering" | "leaving" | "closing" = "new";
  private sinceMs = performance.now();
  private readonly socket: Socket;
  private readonly host: PlainHost;
  private readonly toNode: (socket: Socket) => void;
  private readonly client: string;
  private head: KnownHead | null = null;
  private reading: Reading | null = null;
  private life: Life | null = null;
  /** What the answer that leaves holds. */
  private leaving: Reservation | null = null;
  private ahead: Buffer = none;

  /** @param toNode Makes Node's parser go on with the socket. */
  constructor(socket: Socket, host: PlainHost, toNode: (socket: Socket) => void) {
    this.socket = socket;
    this.host = host;
    this.toNode = toNode;
    this.client = clientOf(socket.remoteAddress);
    socket.on("data", this.onData);
    socket.on("end", this.onEnd);
    socket.on("close", this.onClose);
  }

  /** Ends what takes too long. */
  look(nowMs: number): void {
    const { headersMs, requestMs, keepAliveMs } = this.host.limits;
    const mostMs = {
      new: headersMs,
      idle: keepAliveMs,
      reading: requestMs,
      answering: longestMs,
      leaving: requestMs,
      closing: lastWordsMs,
    };
    if (nowMs - this.sinceMs <= mostMs[this.state]) return;
    if (this.state === "new" || this.state === "reading") {
      this.reading?.reservation.close();
      this.to("closing");
      this.host.cutSlow(this.socket);
    } else if (this.state === "answering") {
      this.life?.end(fail("DEADLINE_EXCEEDED", `no answer within ${longestMs / 1000} s`));
    } else this.socket.destroy();
  }

  /** Closes it now if nothing is under way; what is under way is answered and then closes it. */
  closeIfIdle(): void {
    if (this.state === "new" || this.state === "idle") this.socket.destroy();
  }

  close(): void {
    this.socket.destroy();
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.state === "reading") this.read(chunk);
    else if (this.state === "answering" || this.state === "leaving") this.keep(chunk);
    else if (this.state !== "closing") this.begin(chunk);
  };

  private readonly onEnd = (): void => {
    this.gone();
    this.socket.end();
  };

  private readonly onClose = (): void => {
    this.gone();
    this.host.forget(this);
  };

  private gone(): void {
    this.life?.end(fail("CANCELLED", "the caller is gone"));
    this.reading?.reservation.close();
    this.leaving?.close();
    this.reading = null;
  }

  private to(state: PlainConnection["state"]): void {
    this.state = state;
    this.sinceMs = performance.now();
  }

  private keep(chunk: Buffer): void {
    this.ahead = this.ahead.length === 0 ? chunk : Buffer.concat([this.ahead, chunk]);
    if (this.ahead.length > mostAheadBytes) this.socket.pause();
  }

  /** Reads the beginning of a request. */
  private begin(chunk: Buffer): void {
    const head = this.headOf(chunk);
    if (head === null) {
      this.handOver(chunk);
      return;
    }
    const { bytes, bodyBytes } = head;
    tellSmallRequest();
    const reservation = this.host.budget.open(this.client);
    const end = bytes.length + bodyBytes;
    if (chunk.length < end) {
      this.to("reading");
      this.reading = { head, reservation, collector: new BodyCollector(reservation, bodyBytes) };
      if (chunk.length > bytes.length) this.read(chunk.subarray(bytes.length));
      return;
    }
    if (chunk.length > end) this.keep(chunk.subarray(end));
    try {
      reservation.add(bodyBytes);
    } catch (error) {
      this.refuse(head, error, reservation).catch(this.onFault);
      return;
    }
    this.answer(head, chunk.subarray(bytes.length, end), reservation).catch(this.onFault);
  }

  /** The head at the beginning of what was read; null: it is not plain, or not whole. */
  private headOf(chunk: Buffer): KnownHead | null {
    const known = this.head;
    const bytes = known?.bytes ?? none;
    const { length } = bytes;
    if (known && chunk.length >= length && chunk.compare(bytes, 0, length, 0, length) === 0)
      return known;
    const at = chunk.subarray(0, mostHeadBytes).indexOf(headEnd);
    if (at < 0) return null;
    const text = chunk.toString("latin1", 0, at + headEnd.length);
    const plain = readPlainHead(text);
    if (plain === null || plain.bodyBytes > this.host.limits.mostBodyBytes) return null;
    const route = this.host.answerer.plainRouteOf(plain);
    if (route === null) return null;
    this.head = { ...plain, route, bytes: Buffer.from(text, "latin1") };
    return this.head;
  }

  private read(piece: Buffer): void {
    const { reading } = this;
    if (!reading) return;
    const { head, collector, reservation } = reading;
    const missing = head.bodyBytes - collector.length;
    if (piece.length > missing) this.keep(piece.subarray(missing));
    try {
      collector.add(piece.length > missing ? piece.subarray(0, missing) : piece);
    } catch (error) {
      this.reading = null;
      this.refuse(head, error, reservation).catch(this.onFault);
      return;
    }
    if (collector.length < head.bodyBytes) return;
    this.reading = null;
    const body = collector.take();
    if (body instanceof Promise) {
      this.to("answering");
      body.then((whole) => this.answer(head, whole, reservation)).catch(this.onFault);
    } else this.answer(head, body, reservation).catch(this.onFault);
  }

  /** What came of the body is not read to its end: the connection is of no further use. */
  private async refuse(head: KnownHead, refusal: unknown, reservation: Reservation): Promise<void> {
    this.to("closing");
    const answer = await this.ask(head, { body: none, reservation, refusal });
    reservation.close();
    this.socket.end(answerBytes(answer, 0));
  }

  private async answer(head: KnownHead, body: Buffer, reservation: Reservation): Promise<void> {
    this.to("answering");
    const { host, socket } = this;
    const answer = await this.ask(head, { body, reservation });
    if (!socket.writable) {
      reservation.close();
      return;
    }
    this.to("leaving");
    this.leaving = reservation;
    if (host.isDraining) {
      socket.write(answerBytes(answer, 0), this.onLeft);
      socket.destroySoon();
    } else socket.write(answerBytes(answer, host.limits.keepAliveMs / 1000), this.onLeft);
  }

  private async ask(
    { headers, route }: KnownHead,
    { body, reservation, refusal }: Pick<PlainCall, "body" | "reservation" | "refusal">,
  ): Promise<Answer> {
    const { host, socket, client } = this;
    const life = new Life();
    this.life = life;
    const answer = await host.answerer.answerPlain({
      headers,
      route,
      socket,
      client,
      body,
      refusal,
      reservation,
      life,
    });
    this.life = null;
    return answer;
  }

  /** A fault of ours ends this connection, and no other. */
  private readonly onFault = (err: unknown): void => {
    logger().error({ err }, "a connection ended by a fault of ours");
    this.socket.destroy();
  };

  /** The answer has left: the next request may be answered. */
  private readonly onLeft = (): void => {
    this.leaving?.close();
    this.leaving = null;
    if (this.socket.writable) this.next();
  };

  private next(): void {
    const { ahead, socket } = this;
    this.to("idle");
    if (ahead.length === 0) return;
    this.ahead = none;
    if (socket.isPaused()) socket.resume();
    this.begin(ahead);
  }

  private handOver(chunk: Buffer): void {
    const { socket } = this;
    socket.off("data", this.onData);
    socket.off("end", this.onEnd);
    socket.off("close", this.onClose);
    this.host.forget(this);
    if (socket.isPaused()) socket.resume();
    if (chunk.length > 0) socket.unshift(chunk);
    this.toNode(socket);
  }
}
