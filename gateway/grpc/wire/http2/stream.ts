import { flags, frameTypes, headBytes, writeHead } from "./frames";

/** Fields of a request, by name in lower case; fields that came twice are joined by a comma. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** What is told of one stream. */
export interface StreamListener {
  onData(piece: Buffer): void;
  /** The other side has sent all. */
  onEnd(): void;
  /** So many bytes more, or fewer, wait on the stream: data while it is paused, answers while the other side has no room. */
  onHeld?(bytes: number): void;
  /** The stream is over, well or not. Always the last word. */
  onClose(): void;
}

/** What a stream needs of its connection. */
export interface StreamOwner {
  /** Bytes that all streams may still send. */
  sendWindow: number;
  readonly peerFrameBytes: number;
  /** False while the socket has more to write than it should hold. */
  readonly isWritable: boolean;
  write(bytes: Buffer): void;
  /** The stream has bytes that wait for room. */
  waitForRoom(stream: Http2Stream): void;
  /** Bytes of the body were taken: the other side may send as many. */
  replenish(streamId: number, bytes: number): void;
  reset(stream: Http2Stream, code: number): void;
  forget(stream: Http2Stream): void;
}

const silent: StreamListener = { onData() {}, onEnd() {}, onClose() {} };

/** One request and its answer on a connection. */
export class Http2Stream {
  readonly id: number;
  readonly headers: Headers;
  sendWindow: number;
  /** Bytes that the other side may still send. */
  receiveWindow: number;
  remoteEnded = false;
  closed = false;

  private readonly owner: StreamOwner;
  private listener = silent;
  private localEnded = false;
  private paused = false;
  private readonly held: Buffer[] = [];
  /** Body and trailers that wait for room. */
  private readonly queue: Buffer[] = [];
  private trailers: Buffer | null = null;
  /** Bytes of the body that came, and that were announced. */
  private cameBytes = 0;
  private readonly toldBytes: number | null;
  /** Taken bytes that were not yet replenished. */
  private taken = 0;

  constructor(
    owner: StreamOwner,
    {
      id,
      headers,
      sendWindow,
      receiveWindow,
    }: Pick<Http2Stream, "id" | "headers" | "sendWindow" | "receiveWindow">,
  ) {
    this.owner = owner;
    this.id = id;
    this.headers = headers;
    const told = headers["content-length"];
    this.toldBytes = told === undefined ? null : Number(told);
    this.sendWindow = sendWindow;
    this.receiveWindow = receiveWindow;
  }

  /** Whether as many bytes came as the headers announced. */
  get isComplete(): boolean {
    return this.toldBytes === null || this.toldBytes === this.cameBytes;
  }

  listen(listener: StreamListener): void {
    this.listener = listener;
  }

  /** Header block, whole body and trailer block at once: nearly all calls are answered so. */
  answer(head: Buffer, body: readonly Buffer[], trailers: Buffer): void {
    if (this.closed || this.localEnded) return;
    const length = body.reduce((sum, { length: bytes }) => sum + bytes, 0);
    if (this.queue.length > 0 || length > this.room()) {
      this.respond(head);
      for (const piece of body) this.send(piece);
      this.end(trailers);
      return;
    }
    const bytes = Buffer.allocUnsafe(3 * headBytes + head.length + length + trailers.length);
    let at = this.put(bytes, 0, frameTypes.headers, flags.endHeaders, [head]);
    at = this.put(bytes, at, frameTypes.data, 0, body);
    this.put(bytes, at, frameTypes.headers, flags.endHeaders | flags.endStream, [trailers]);
    this.sendWindow -= length;
    this.owner.sendWindow -= length;
    this.owner.write(bytes);
    this.endLocally();
  }

  respond(head: Buffer, endStream = false): void {
    if (this.closed || this.localEnded) return;
    this.writeBlock(head, endStream);
    if (endStream) this.endLocally();
  }

  send(piece: Buffer): void {
    if (this.closed || this.localEnded) return;
    this.queue.push(piece);
    this.hold(piece.length);
    this.pump();
  }

  /** Sends trailers after what still waits. */
  end(trailers: Buffer): void {
    if (this.closed || this.localEnded) return;
    this.trailers = trailers;
    this.pump();
  }

  /** Data that comes is kept back, and the other side soon told to wait. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    while (!this.paused && !this.closed) {
      const piece = this.held.shift();
      if (!piece) break;
      this.hold(-piece.length);
      this.take(piece);
    }
    if (!this.paused && this.held.length === 0 && this.remoteEnded && !this.closed) {
      this.listener.onEnd();
    }
  }

  /** What the other side still sends is thrown away. */
  reset(code: number): void {
    if (!this.closed) this.owner.reset(this, code);
  }

  receive(piece: Buffer): void {
    this.cameBytes += piece.length;
    if (!this.paused) this.take(piece);
    else {
      this.held.push(piece);
      this.hold(piece.length);
    }
  }

  endRemotely(): void {
    this.remoteEnded = true;
    if (this.paused || this.held.length > 0) return;
    this.listener.onEnd();
    this.closeIfOver();
  }

  /** Called by the connection alone. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.queue.length = 0;
    this.held.length = 0;
    this.owner.forget(this);
    this.listener.onClose();
  }

  /** Sends what there is room for. */
  pump(): void {
    while (!this.closed) {
      const piece = this.queue[0];
      if (!piece) break;
      const room = this.room();
      if (room === 0 && piece.length > 0) {
        this.owner.waitForRoom(this);
        return;
      }
      const part = piece.subarray(0, room);
      if (part.length === piece.length) this.queue.shift();
      else this.queue[0] = piece.subarray(part.length);
      const head = Buffer.allocUnsafe(headBytes);
      const { length } = part;
      this.hold(-length);
      writeHead(head, 0, { length, type: frameTypes.data, flags: 0, streamId: this.id });
      this.sendWindow -= length;
      this.owner.sendWindow -= length;
      this.owner.write(head);
      this.owner.write(part);
    }
    if (this.trailers === null || this.closed) return;
    this.writeBlock(this.trailers, true);
    this.trailers = null;
    this.endLocally();
  }

  private room(): number {
    if (!this.owner.isWritable) return 0;
    return Math.max(0, Math.min(this.sendWindow, this.owner.sendWindow, this.owner.peerFrameBytes));
  }

  private hold(bytes: number): void {
    if (bytes !== 0) this.listener.onHeld?.(bytes);
  }

  private take(piece: Buffer): void {
    this.taken += piece.length;
    const owed = this.taken;
    // Told in large steps: half a window at a time.
    if (owed >= this.receiveWindow && !this.remoteEnded) {
      this.taken = 0;
      this.receiveWindow += owed;
      this.owner.replenish(this.id, owed);
    }
    this.listener.onData(piece);
  }

  private writeBlock(block: Buffer, endStream: boolean): void {
    const set = flags.endHeaders | (endStream ? flags.endStream : 0);
    const bytes = Buffer.allocUnsafe(headBytes + block.length);
    this.put(bytes, 0, frameTypes.headers, set, [block]);
    this.owner.write(bytes);
  }

  private put(
    into: Buffer,
    at: number,
    type: number,
    set: number,
    payload: readonly Buffer[],
  ): number {
    const length = payload.reduce((sum, { length: bytes }) => sum + bytes, 0);
    let place = writeHead(into, at, { length, type, flags: set, streamId: this.id });
    for (const part of payload) {
      into.set(part, place);
      place += part.length;
    }
    return place;
  }

  private endLocally(): void {
    this.localEnded = true;
    this.closeIfOver();
  }

  private closeIfOver(): void {
    if (this.localEnded && this.remoteEnded) this.close();
  }
}
