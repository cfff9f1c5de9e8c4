import pg from "pg";
import { Backoff } from "@/lib/common/backoff";
import { databaseEnv } from "@/lib/server/env";
import { logger } from "@/lib/server/logger";

/** The doorbells of the migrations. */
export type Channel =
  | "event"
  | "outbox"
  | "inspection"
  | "route"
  | "command"
  | "log"
  | "token"
  | "lease_call";

/** What is told of one channel. */
export interface Listener {
  readonly onNotify: (payload: string) => void;
  /** Notifications may have been missed before this moment: look again. Called at the first connection too. */
  readonly onReconnect?: () => void;
}

/** One connection of the process for all its channels, reconnecting for as long as somebody listens. */
class Ear {
  private readonly listeners = new Map<Channel, Set<Listener>>();
  private client: pg.Client | undefined;
  private running: Promise<void> | undefined;
  private stop = new AbortController();
  /** The newest `LISTEN`: a connection takes one query at a time. */
  private newest: Promise<void> = Promise.resolve();

  add(channel: Channel, listener: Listener): () => Promise<void> {
    const known = this.listeners.get(channel);
    const set = known ?? new Set<Listener>();
    this.listeners.set(channel, set.add(listener));
    if (this.client) void this.subscribe(this.client, channel, [listener]);
    if (!this.running) {
      this.stop = new AbortController();
      this.running = this.run(this.stop.signal);
    }
    return () => this.remove(channel, listener);
  }

  private async remove(channel: Channel, listener: Listener): Promise<void> {
    const set = this.listeners.get(channel);
    if (!set?.delete(listener) || set.size > 0) return;
    this.listeners.delete(channel);
    if (this.listeners.size > 0) return;
    const running = this.running;
    this.running = undefined;
    this.stop.abort();
    await running;
  }

  private async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      const client = new pg.Client({
        connectionString: databaseEnv().DATABASE_URL,
        connectionTimeoutMillis: 2000,
        keepAlive: true,
        application_name: "boardwalk-listen",
      });
      const closed = new Promise<void>((resolve) => {
        client.once("end", () => resolve());
        client.once("error", () => resolve());
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      try {
        client.on("notification", ({ channel, payload }) => {
          for (const { onNotify } of this.listeners.get(channel as Channel) ?? [])
            onNotify(payload ?? "");
        });
        await client.connect();
        this.client = client;
        backoff.reset();
        for (const [channel, set] of this.listeners) await this.subscribe(client, channel, set);
        await closed;
      } catch (err) {
        logger().debug({ err }, "cannot listen to the database");
      }
      this.client = undefined;
      client.removeAllListeners("notification");
      client.on("error", () => {});
      await client.end().catch(() => {});
      if (signal.aborted) return;
      await backoff.wait(signal);
    }
  }

  private subscribe(
    client: pg.Client,
    channel: Channel,
    listeners: Iterable<Listener>,
  ): Promise<void> {
    this.newest = this.newest.then(async () => {
      try {
        await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
        for (const { onReconnect } of listeners) onReconnect?.();
      } catch (err) {
        logger().debug({ err, channel }, "cannot listen to a channel");
      }
    });
    return this.newest;
  }
}

const ear = new Ear();

/**
 * Hears a channel of Postgres over a dedicated connection that comes back by itself.
 *
 * @returns A handle whose `close()` ends it; the connection goes with the last one.
 */
export function listen(
  channel: Channel,
  listener: Listener | Listener["onNotify"],
): { close(): Promise<void> } {
  const close = ear.add(
    channel,
    typeof listener === "function" ? { onNotify: listener } : { ...listener },
  );
  return { close };
}
