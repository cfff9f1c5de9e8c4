import { once } from "node:events";
import type { Duplex } from "node:stream";
import type pg from "pg";

/** What a `pg` connection has beyond its types: the messages of COPY. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Bytes that wait here before Postgres is asked to wait. */
const mostWaiting = 1 << 20;

/**
 * What `COPY … TO STDOUT` gives, as it comes; a reader that is slow holds the connection up.
 *
 * @returns The pieces, and after the last of them how many rows there were.
 */
export function copyOut(
  client: pg.Client,
  text: string,
): { readonly pieces: AsyncIterable<Buffer>; readonly rows: () => number } {
  const copy = new CopyOut(text);
  submit(client, copy);
  return { pieces: copy, rows: () => copy.rows };
}

/** Feeds `COPY … FROM STDIN`, and answers how many rows it took. */
export async function copyIn(
  client: pg.Client,
  text: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  const copy = new CopyIn(text, pieces);
  submit(client, copy);
  return await copy.done;
}

/** `pg` takes any object that knows its messages. */
function submit(client: pg.Client, query: CopyOut | CopyIn): void {
  (client as unknown as { query(query: object): object }).query(query);
}

/** A query of `pg` that takes rows as the server sends them. */
class CopyOut implements AsyncIterable<Buffer> {
  rows = 0;
  private readonly text: string;
  private connection: CopyConnection | null = null;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isOver = false;
  private error: unknown = null;
  private wake: () => void = () => {};

  constructor(text: string) {
    this.text = text;
  }

  submit(connection: CopyConnection): void {
    this.connection = connection;
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The reader of messages uses its memory again.
    this.waiting.push(Buffer.from(chunk));
    this.waitingBytes += chunk.length;
    if (this.waitingBytes > mostWaiting) this.connection?.stream.pause();
    this.wake();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    this.isOver = true;
    this.wake();
  }

  handleError(error: unknown): void {
    this.error = error;
    this.isOver = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    for (;;) {
      if (this.waiting.length > 0) {
        const piece = Buffer.concat(this.waiting);
        this.waiting = [];
        this.waitingBytes = 0;
        this.connection?.stream.resume();
        yield piece;
      } else if (this.error) throw this.error;
      else if (this.isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

/** A query of `pg` that sends rows once the server asks for them. */
class CopyIn {
  readonly done: Promise<number>;
  private rows = 0;
  private sendError: unknown = null;
  private readonly text: string;
  private readonly pieces: AsyncIterable<Uint8Array>;
  private resolve: (rows: number) => void = () => {};
  private reject: (error: unknown) => void = () => {};

  constructor(text: string, pieces: AsyncIterable<Uint8Array>) {
    this.text = text;
    this.pieces = pieces;
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: CopyConnection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.send(connection);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    this.resolve(this.rows);
  }

  /** What went wrong on our side is what the server then complains of. */
  handleError(error: unknown): void {
    this.reject(this.sendError ?? error);
  }

  private async send(connection: CopyConnection): Promise<void> {
    try {
      for await (const piece of this.pieces) {
        connection.sendCopyFromChunk(piece);
        if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
      }
      connection.endCopyFrom();
    } catch (error) {
      this.sendError = error;
      connection.sendCopyFail("its source failed");
    }
  }
}

/** `COPY 12` copied twelve rows. */
const rowsOf = (tag: string): number => Number(tag.split(" ").at(-1));
