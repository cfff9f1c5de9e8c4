import type { Socket } from "node:net";
import { NumberMap } from "@/lib/common/number-map";
import { PacedWork } from "../../../intake";
import { checkConnectionFrame, checkPriority } from "./checks";
import {
  ConnectionError,
  calm,
  closedStream,
  errorCodes,
  flow,
  frameSize,
  protocol,
  StreamError,
} from "./errors";
import { type FrameHead, FrameReader, flags, frameTypes, unpadded } from "./frames";
import { HeaderBlocks } from "./header-blocks";
import { HeaderReader } from "./hpack";
import { Allowance, limits } from "./limits";
import { Outbox } from "./outbox";
import {
  goaway,
  ping,
  pingAck,
  rstStream,
  settings,
  settingsAck,
  settingsFrame,
  windowUpdate,
} from "./replies";
import { checkTrailers, requestHeaders } from "./request-headers";
import { Http2Stream, type StreamOwner } from "./stream";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const defaultWindowBytes = 65_535;
const maxWindowBytes = 2 ** 31 - 1;
const maxKnownClosed = 256;
/** The last stream of a connection that still takes all. */
const anyStreamId = 2 ** 31 - 1;
/** So long a client that is left may go without answering a ping. */
const noticeMs = 1000;

/** What a connection tells its server. */
export interface ConnectionEvents {
  onStream(stream: Http2Stream): void;
  /** A fault of ours that ended the connection. */
  onFault(error: unknown): void;
  /** We ended this connection, or a stream of it, on the client. */
  onCut(cause: ConnectionCut): void;
}

/** Why we end something on a client: a stream by its fault or ours, a connection for a wrong or greedy client, silence. */
export type ConnectionCut = "stream" | "protocol" | "flood" | "slow" | "idle";

/** The server's side of one HTTP/2 connection, begun with prior knowledge and without TLS. @see RFC 9113 */
export class Http2Connection implements StreamOwner {
  sendWindow = defaultWindowBytes;
  peerFrameBytes = 16_384;

  private readonly socket: Socket;
  private readonly events: ConnectionEvents;
  private readonly reader: FrameReader;
  private readonly headerReader = new HeaderReader();
  private readonly streams = new NumberMap<Http2Stream>();
  private readonly waiting = new Set<Http2Stream>();
  /** Streams that were here a moment ago: what still comes for them is no fault. */
  private readonly closed = new Set<number>();
  private readonly resets = new Allowance("resets");
  private readonly controls = new Allowance("controls");
  private greeted = 0;
  private settled = false;
  private lastStreamId = 0;
  private peerWindowBytes = defaultWindowBytes;
  private receiveWindow: number = limits.connectionWindowBytes;
  private taken = 0;
  private readonly blocks: HeaderBlocks;
  private readonly outbox: Outbox;
  private readonly work = new PacedWork();
  /** Runs from the first word that this connection will end until the last. */
  private notice: NodeJS.Timeout | null = null;
  private leaving = false;
  private over = false;
  private heard = false;
  private idleFrom = performance.now();
  private readonly idleMs: number;
  /** The block that was already unfinished at the last look. */
  private oldBlock: FrameHead | null = null;
  private readonly silence: NodeJS.Timeout;

  /** @param idleMs A connection without a call for so long is left. */
  constructor(socket: Socket, events: ConnectionEvents, idleMs: number = limits.idleMs) {
    this.idleMs = idleMs;
    this.socket = socket;
    this.events = events;
    this.outbox = new Outbox(socket);
    this.blocks = new HeaderBlocks(this.controls, (head, block) => this.onBlock(head, block));
    this.reader = new FrameReader({
      onFrame: (head, payload) => this.onFrame(head, payload),
      onDataHead: (head) => this.onDataHead(head),
      onData: (head, piece, isLast) => this.onData(head, piece, isLast),
    });
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.push(chunk));
    socket.on("drain", () => this.pumpAll());
    socket.on("error", () => {});
    socket.on("end", () => socket.end());
    socket.on("close", () => this.finish());
    this.silence = setTimeout(
      () => this.judgeSilence(),
      Math.min(limits.silenceMs, idleMs),
    ).unref();
    this.write(
      settingsFrame([
        [settings.maxStreams, limits.concurrentStreams],
        [settings.initialWindow, limits.streamWindowBytes],
      ]),
    );
    this.write(windowUpdate(0, limits.connectionWindowBytes - defaultWindowBytes));
  }

  get isWritable(): boolean {
    return this.outbox.isWritable;
  }

  /**
   * The connection ends with the last of its streams. What a client sent before it could know is answered too: only its answer
   * to a ping, or a second, closes the door (RFC 9113, section 6.8).
   */
  leave(): void {
    if (this.notice || this.over) return;
    this.write(goaway(anyStreamId, errorCodes.none));
    this.write(ping);
    this.notice = setTimeout(() => this.closeDoor(), noticeMs).unref();
  }

  private closeDoor(): void {
    if (this.leaving || this.over) return;
    this.leaving = true;
    this.write(goaway(this.lastStreamId, errorCodes.none));
    this.endIfDone();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Sent together with what else is written in the same turn. */
  write(bytes: Buffer): void {
    this.outbox.write(bytes);
  }

  waitForRoom(stream: Http2Stream): void {
    this.waiting.add(stream);
  }

  replenish(streamId: number, bytes: number): void {
    this.write(windowUpdate(streamId, bytes));
  }

  reset(stream: Http2Stream, code: number): void {
    this.events.onCut("stream");
    this.write(rstStream(stream.id, code));
    stream.close();
  }

  forget(stream: Http2Stream): void {
    this.streams.delete(stream.id);
    if (this.streams.size === 0) this.idleFrom = performance.now();
    this.waiting.delete(stream);
    this.closed.add(stream.id);
    if (this.closed.size > maxKnownClosed) {
      const [oldest] = this.closed;
      if (oldest !== undefined) this.closed.delete(oldest);
    }
    this.endIfDone();
  }

  private push(chunk: Buffer): void {
    if (this.over) return;
    if (this.work.endsTurn({ bodyBytes: chunk.length }, () => this.socket.resume())) {
      this.socket.pause();
    }
    this.heard = true;
    try {
      const rest = this.greet(chunk);
      if (rest.length > 0) this.reader.push(rest);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The bytes after the words with which a client begins. @throws {ConnectionError} for another protocol. */
  private greet(chunk: Buffer): Buffer {
    if (this.greeted === preface.length) return chunk;
    const part = chunk.subarray(0, preface.length - this.greeted);
    const wanted = preface.subarray(this.greeted, this.greeted + part.length);
    if (!part.equals(wanted)) {
      if (this.greeted === 0 && /^[A-Z]+ \//.test(chunk.toString("latin1", 0, 16)))
        this.refuseHttp1();
      throw new ConnectionError(errorCodes.protocol, "this is no HTTP/2");
    }
    this.greeted += part.length;
    return chunk.subarray(part.length);
  }

  private refuseHttp1(): void {
    this.over = true;
    this.outbox.end(
      "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n" +
        "This port speaks gRPC; HTTP is spoken on its own port, 8000 unless it was set.\n",
    );
  }

  private onFrame(head: FrameHead, payload: Buffer): void {
    try {
      this.dispatch(head, payload);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.endStream(error);
    }
  }

  private dispatch(head: FrameHead, payload: Buffer): void {
    const { type } = head;
    if (!this.settled && type !== frameTypes.settings) {
      throw protocol("the first frame is not settings");
    }
    this.blocks.checkOrder(head);
    if (type === frameTypes.headers) this.blocks.begin(head, payload);
    else if (type === frameTypes.data) this.onPaddedData(head, payload);
    else if (type === frameTypes.continuation) this.blocks.go(head, payload);
    else if (type === frameTypes.windowUpdate) this.onWindowUpdate(head, payload);
    else if (type === frameTypes.rstStream) this.onReset(head);
    else if (type === frameTypes.settings) this.onSettings(head, payload);
    else if (type === frameTypes.ping) this.onPing(head, payload);
    else if (type === frameTypes.priority) checkPriority(head, payload);
    else if (type === frameTypes.goaway) checkConnectionFrame(head);
    else if (type === frameTypes.pushPromise) throw protocol("a client cannot push");
    // Other types are ignored (section 5.5).
    else if (!this.controls.take()) throw calm("too many unknown frames");
  }

  // ---- Headers

  private onBlock({ streamId, flags: set }: FrameHead, block: Buffer): void {
    const fields = this.headerReader.read(block);
    const ends = (set & flags.endStream) !== 0;
    const open = this.streams.get(streamId);
    if (open) {
      if (open.remoteEnded) throw closedStream(streamId);
      if (!ends) throw new StreamError(streamId, errorCodes.protocol, "trailers do not end");
      checkTrailers(streamId, fields);
      this.endRemotely(open);
      return;
    }
    if (streamId <= this.lastStreamId) {
      if (this.closed.has(streamId)) {
        throw new ConnectionError(errorCodes.streamClosed, "the stream is closed");
      }
      throw protocol("a stream's number is not higher than those before");
    }
    this.lastStreamId = streamId;
    if (this.leaving || this.streams.size >= limits.concurrentStreams) {
      throw new StreamError(streamId, errorCodes.refusedStream, "too many streams");
    }
    const headers = requestHeaders(streamId, fields);
    const stream = new Http2Stream(this, {
      id: streamId,
      headers,
      sendWindow: this.peerWindowBytes,
      receiveWindow: limits.streamWindowBytes,
    });
    this.streams.set(streamId, stream);
    this.events.onStream(stream);
    if (ends) this.endRemotely(stream);
  }

  // ---- Data

  private onDataHead(head: FrameHead): void {
    if (!this.settled) throw protocol("the first frame is not settings");
    this.blocks.checkOrder(head);
    this.account(head);
  }

  private account({ streamId, length, flags: set }: FrameHead): void {
    if (streamId === 0 || streamId > this.lastStreamId) throw protocol("data without a stream");
    if (length > this.receiveWindow) throw flow("the connection's window is exceeded");
    this.receiveWindow -= length;
    const stream = this.streams.get(streamId);
    if (!stream) return;
    if (length === 0 && (set & flags.endStream) === 0 && !this.controls.take()) {
      throw calm("too many empty frames");
    }
    if (length > stream.receiveWindow) throw flow("the stream's window is exceeded");
    stream.receiveWindow -= length;
  }

  private onData({ streamId, flags: set }: FrameHead, piece: Buffer, isLast: boolean): void {
    this.taken += piece.length;
    if (this.taken >= limits.connectionWindowBytes / 2) {
      this.replenish(0, this.taken);
      this.receiveWindow += this.taken;
      this.taken = 0;
    }
    const stream = this.streams.get(streamId);
    if (!stream || stream.remoteEnded) {
      // What was under way when a call was refused is some frames; more of them only cost us.
      if (!this.controls.take()) throw calm("too much data for streams that are closed");
      if (isLast) this.endStream(closedStream(streamId));
      return;
    }
    if (piece.length > 0) stream.receive(piece);
    if (isLast && (set & flags.endStream) !== 0) this.endRemotely(stream);
  }

  private endRemotely(stream: Http2Stream): void {
    if (stream.isComplete) stream.endRemotely();
    else this.endStream(new StreamError(stream.id, errorCodes.protocol, "not the length it told"));
  }

  private onPaddedData(head: FrameHead, payload: Buffer): void {
    this.account(head);
    const piece = unpadded(head, payload);
    const stream = this.streams.get(head.streamId);
    // Padding is taken at once.
    this.taken += payload.length - piece.length;
    if (stream) stream.receiveWindow += payload.length - piece.length;
    if (stream && payload.length > piece.length) {
      this.replenish(head.streamId, payload.length - piece.length);
    }
    this.onData(head, piece, true);
  }

  // ---- Windows

  private onWindowUpdate({ streamId, length }: FrameHead, payload: Buffer): void {
    if (length !== 4) throw frameSize("a window update is 4 bytes");
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (streamId === 0) {
      if (bytes === 0) throw protocol("a window grows by nothing");
      this.sendWindow += bytes;
      if (this.sendWindow > maxWindowBytes) throw flow("the window is too large");
      this.pumpAll();
      return;
    }
    if (streamId > this.lastStreamId) throw protocol("a window of no stream");
    const stream = this.streams.get(streamId);
    if (bytes === 0) throw new StreamError(streamId, errorCodes.protocol, "grows by nothing");
    if (!stream) return;
    stream.sendWindow += bytes;
    if (stream.sendWindow > maxWindowBytes) {
      throw new StreamError(streamId, errorCodes.flowControl, "the window is too large");
    }
    if (this.waiting.delete(stream)) stream.pump();
  }

  private pumpAll(): void {
    const streams = [...this.waiting];
    this.waiting.clear();
    for (const stream of streams) stream.pump();
  }

  // ---- Control

  private onReset({ streamId, length }: FrameHead): void {
    if (length !== 4) throw frameSize("a reset is 4 bytes");
    if (streamId === 0 || streamId > this.lastStreamId) throw protocol("a reset of no stream");
    if (!this.resets.take()) throw calm("too many streams were opened and reset");
    this.streams.get(streamId)?.close();
  }

  private onSettings(head: FrameHead, payload: Buffer): void {
    checkConnectionFrame(head);
    const isAck = (head.flags & flags.ack) !== 0;
    if (isAck ? head.length !== 0 : head.length % 6 !== 0) {
      throw frameSize("the settings have a wrong size");
    }
    if (!this.controls.take()) throw calm("too many settings");
    this.settled = true;
    if (isAck) return;
    for (let at = 0; at < payload.length; at += 6) {
      this.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
    this.write(settingsAck);
    this.pumpAll();
  }

  private set(id: number, value: number): void {
    if (id === settings.enablePush && value > 1) throw protocol("push is 0 or 1");
    if (id === settings.maxFrame) {
      if (value < 16_384 || value > 2 ** 24 - 1) throw protocol("frames of an impossible size");
      this.peerFrameBytes = Math.min(value, 2 ** 20);
    }
    if (id !== settings.initialWindow) return;
    if (value > maxWindowBytes) throw flow("the window is too large");
    const change = value - this.peerWindowBytes;
    this.peerWindowBytes = value;
    for (const stream of this.streams.values()) {
      stream.sendWindow += change;
      if (stream.sendWindow > maxWindowBytes) throw flow("the window is too large");
    }
  }

  private onPing(head: FrameHead, payload: Buffer): void {
    checkConnectionFrame(head);
    if (head.length !== 8) throw frameSize("a ping is 8 bytes");
    if ((head.flags & flags.ack) !== 0) {
      if (this.notice) this.closeDoor();
      return;
    }
    if (!this.controls.take()) throw calm("too many pings");
    this.write(pingAck(payload));
  }

  // ---- Ends

  private endStream({ streamId, code }: StreamError): void {
    this.write(rstStream(streamId, code));
    this.events.onCut("stream");
    const stream = this.streams.get(streamId);
    if (!stream) {
      this.closed.add(streamId);
      return;
    }
    stream.close();
    // Who makes us reset what was opened costs as much as who resets it himself.
    if (!this.resets.take()) throw calm("too many streams were opened and had to be reset");
  }

  private fail(error: unknown): void {
    if (this.over) return;
    const code = error instanceof ConnectionError ? error.code : errorCodes.internal;
    this.events.onCut(code === errorCodes.enhanceYourCalm ? "flood" : "protocol");
    this.write(goaway(this.lastStreamId, code));
    this.over = true;
    this.outbox.end();
    this.socket.resume();
    setTimeout(() => this.socket.destroy(), 1000).unref();
    for (const stream of this.streams.values()) stream.close();
    if (!(error instanceof ConnectionError)) this.events.onFault(error);
  }

  private endIfDone(): void {
    if (!this.leaving || this.over || this.streams.size > 0) return;
    this.over = true;
    this.outbox.end();
  }

  /** Nobody may be slow with the first settings or a header block, or silent in the middle of a frame. */
  private judgeSilence(): void {
    const isSlow =
      !this.settled || (this.blocks.open !== null && this.blocks.open === this.oldBlock);
    if (this.over || isSlow || (this.reader.isWithin && !this.heard)) {
      if (!this.over) this.events.onCut("slow");
      this.socket.destroy();
      return;
    }
    if (this.streams.size === 0 && performance.now() - this.idleFrom >= this.idleMs) {
      this.events.onCut("idle");
      this.leave();
    }
    this.heard = false;
    this.oldBlock = this.blocks.open;
    this.silence.refresh();
  }

  private finish(): void {
    this.over = true;
    clearTimeout(this.silence);
    if (this.notice) clearTimeout(this.notice);
    for (const stream of this.streams.values()) stream.close();
  }
}
