import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** What a network does to connections for as long as it lasts. */
export type Toxic =
  /** Every piece comes late, in both directions. */
  | { readonly kind: "latency"; readonly ms: number }
  /** Connections are reset, those that there are and new ones. */
  | { readonly kind: "reset" }
  /** Connections stay open and carry nothing; those that were open are reset when it is over, as a firewall does that forgot them. */
  | { readonly kind: "half-open" }
  /** The end of a connection is told late. */
  | { readonly kind: "slow-close"; readonly ms: number }
  /**
   * The answer to the first piece that holds `to` is lost with its connection, which has carried `after` before: it was done, and
   * nobody was told.
   */
  | { readonly kind: "lost-answer"; readonly to: string; readonly after?: string }
  /** What is asked in a piece that holds `to` is answered with this text, and the connection ends. */
  | { readonly kind: "answer"; readonly to: string; readonly text: string };

/** A TCP proxy in front of a store, on a loopback port, which does to connections what it is told. */
export class FaultProxy {
  private readonly target: number;
  private readonly links = new Set<Link>();
  private readonly server: Server;
  private toxic: Toxic | null = null;
  /** Answers that were lost, or given in the server's place, so far. */
  spoilt = 0;
  /** Pieces that half-open connections did not carry. */
  dropped = 0;

  private constructor(target: number) {
    this.target = target;
    this.server = createServer({ allowHalfOpen: true }, (client) => this.accept(client));
  }

  /** Starts one in front of a loopback port. */
  static async start(target: number, port = 0): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>((done) => proxy.server.listen(port, "127.0.0.1", done));
    return proxy;
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new TypeError("not listening");
    return address.port;
  }

  /** From now on it does this, to connections that there are too; null: nothing. */
  set(toxic: Toxic | null): void {
    const before = this.toxic;
    this.toxic = toxic;
    if (toxic?.kind === "reset" || before?.kind === "half-open")
      for (const link of this.links) link.reset();
  }

  async close(): Promise<void> {
    for (const link of this.links) link.reset();
    await new Promise((done) => this.server.close(done));
  }

  private accept(client: Socket): void {
    if (this.toxic?.kind === "reset") {
      client.resetAndDestroy();
      return;
    }
    const link = new Link(
      client,
      connect({ port: this.target, host: "127.0.0.1", allowHalfOpen: true }),
      {
        toxic: () => this.toxic,
        onSpoilt: () => {
          this.spoilt++;
          if (this.toxic?.kind === "lost-answer") this.toxic = null;
        },
        onDropped: () => {
          this.dropped++;
        },
        onEnd: () => this.links.delete(link),
      },
    );
    this.links.add(link);
  }
}

interface LinkOptions {
  readonly toxic: () => Toxic | null;
  readonly onSpoilt: () => void;
  readonly onDropped: () => void;
  readonly onEnd: () => void;
}

/** One connection of a client, and that to the server which it stands for. */
class Link {
  private readonly client: Socket;
  private readonly server: Socket;
  private readonly options: LinkOptions;
  /** What `after` of a toxic asks for went by. */
  private isMeant = false;
  /** The next piece of the server answers what must not be answered. */
  private losesNext = false;

  constructor(client: Socket, server: Socket, options: LinkOptions) {
    this.client = client;
    this.server = server;
    this.options = options;
    this.carry(client, server, (piece) => this.onAsked(piece));
    this.carry(server, client, () => this.onAnswered());
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => this.reset());
      socket.on("close", () => this.end());
    }
  }

  reset(): void {
    this.server.destroy();
    if (!this.client.destroyed) this.client.resetAndDestroy();
  }

  /** Carries what one side writes to the other, piece by piece and in order. @param passes Whether a piece goes on. */
  private carry(from: Socket, to: Socket, passes: (piece: Buffer) => boolean): void {
    let last: Promise<void> = Promise.resolve();
    const inTurn = (work: () => Promise<void> | void) => {
      last = last.then(work).catch(() => this.reset());
    };
    from.on("data", (piece: Buffer) => {
      from.pause();
      inTurn(async () => {
        const toxic = this.options.toxic();
        if (toxic?.kind === "latency") await delay(toxic.ms);
        if (this.options.toxic()?.kind === "half-open") this.options.onDropped();
        else if (passes(piece) && !to.destroyed)
          await new Promise<void>((done) => to.write(piece, () => done()));
        from.resume();
      });
    });
    from.on("end", () =>
      inTurn(async () => {
        const toxic = this.options.toxic();
        if (toxic?.kind === "slow-close") await delay(toxic.ms);
        if (this.options.toxic()?.kind !== "half-open") to.end();
      }),
    );
  }

  private onAsked(piece: Buffer): boolean {
    const toxic = this.options.toxic();
    if (toxic?.kind === "lost-answer") {
      this.isMeant ||= toxic.after === undefined || piece.includes(toxic.after);
      this.losesNext ||= this.isMeant && piece.includes(toxic.to);
    }
    if (toxic?.kind !== "answer" || !piece.includes(toxic.to)) return true;
    this.options.onSpoilt();
    this.client.end(toxic.text);
    this.server.destroy();
    return false;
  }

  private onAnswered(): boolean {
    if (!this.losesNext) return true;
    this.losesNext = false;
    this.options.onSpoilt();
    this.reset();
    return false;
  }

  private end(): void {
    if (!this.client.destroyed && this.options.toxic()?.kind !== "slow-close")
      this.client.destroy();
    this.server.destroy();
    this.options.onEnd();
  }
}
