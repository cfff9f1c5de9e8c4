import { createHash } from "node:crypto";
import { fail } from "@/lib/common/errors";
import { type Grant, roughPlace, type TokenUse } from "@/lib/server/auth";
import { toStoreError } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import { Pace } from "./pace";

/** Where tokens are looked up. */
export interface TokenReader {
  /** Null: no such token, or it is good no more. */
  find(text: string): Promise<Grant | null>;
  /** UUIDs of tokens that were revoked lately. */
  listRevoked(): Promise<readonly string[]>;
  /** UUIDs of these tokens that are good no more. */
  listEnded(ids: readonly string[]): Promise<readonly string[]>;
  /** Rings when a token may have been revoked; a poll stands behind it. */
  listen(onRing: () => void): { close(): Promise<void> };
  note(uses: readonly TokenUse[]): Promise<void>;
}

/** A revoked token is refused within a second: this, a query, and room for a busy machine. */
const lookMs = 400;
const noteMs = 15_000;
/** While revocations cannot be read, tokens that are known are good for so long. */
const mostBlindMs = 60_000;
/** A token that is not known is not looked up again for so long. */
const unknownMs = 1000;
const mostKnown = 10_000;

/** What a token is good for, and how fast it may ask. */
export interface PacedGrant extends Grant {
  /** Null: at any pace. */
  readonly pace: Pace | null;
}

interface Known {
  readonly grant: PacedGrant | null;
  readonly untilMs: number;
}

/** The tokens that were shown lately, and what they are good for: looked up once, then known until they end. */
export class KnownTokens {
  private readonly reader: TokenReader;
  private readonly known = new Map<string, Known>();
  private readonly keyOf = new Map<string, string>();
  private uses = new Map<string, string | null>();
  private lookedAtMs = performance.now();
  /** A database that is slow is not asked again before it has answered. */
  private isLooking = false;
  private readonly looking: NodeJS.Timeout;
  private readonly noting: NodeJS.Timeout;
  private readonly bell: { close(): Promise<void> };

  private readonly gateways: () => number;

  /** @param gateways How many share what a token may ask. */
  constructor(reader: TokenReader, gateways: () => number = () => 1) {
    this.reader = reader;
    this.gateways = gateways;
    this.looking = setInterval(() => {
      if (!this.isLooking) void this.look(() => reader.listRevoked());
    }, lookMs);
    this.noting = setInterval(() => void this.note(), noteMs);
    this.bell = reader.listen(() => void this.look(() => reader.listEnded([...this.keyOf.keys()])));
  }

  /**
   * What a token is good for; null: nothing.
   *
   * @throws {AppError} `STORE_UNAVAILABLE` for one that is not known while the database is away, and for all when it was away for so
   *   long that they might have been revoked.
   */
  grantOf(
    text: string,
    address: string | undefined,
  ): PacedGrant | null | Promise<PacedGrant | null> {
    const key = createHash("sha256").update(text).digest("base64");
    const now = performance.now();
    const known = this.known.get(key);
    if (!known || known.untilMs <= now) return this.find(text, key, address);
    if (known.grant === null) return null;
    if (now - this.lookedAtMs > mostBlindMs)
      throw fail("STORE_UNAVAILABLE", "whether tokens are still good cannot be read just now");
    this.use(known.grant, address);
    return known.grant;
  }

  async close(): Promise<void> {
    clearInterval(this.looking);
    clearInterval(this.noting);
    await this.bell.close();
    await this.note();
  }

  private async find(
    text: string,
    key: string,
    address: string | undefined,
  ): Promise<PacedGrant | null> {
    const askedAtMs = performance.now();
    const found = await this.reader.find(text).catch((error: unknown) => {
      throw toStoreError(error);
    });
    // Those that asked for it together share its pace.
    const grant = found && {
      ...found,
      pace: this.known.get(key)?.grant?.pace ?? this.paceOf(found),
    };
    // Revoked meanwhile, it might be named before it is known: then the next look names it again.
    if (this.known.size >= mostKnown) this.forgetAll();
    this.known.set(key, { grant, untilMs: askedAtMs + (grant?.livesMs ?? unknownMs) });
    if (grant) {
      this.keyOf.set(grant.id, key);
      this.use(grant, address);
    }
    return grant;
  }

  private paceOf({ kind, requestsPerSecond }: Grant): Pace | null {
    if (requestsPerSecond === null) return null;
    const share = () => Math.ceil(requestsPerSecond / this.gateways());
    return new Pace(`this ${kind === "link" ? "link" : "token"} asks`, share);
  }

  private use({ id }: Grant, address: string | undefined): void {
    if (!this.uses.has(id)) this.uses.set(id, address ?? null);
  }

  private async look(ended: () => Promise<readonly string[]>): Promise<void> {
    const startedAtMs = performance.now();
    this.isLooking = true;
    try {
      const ids = await ended();
      // Longer than revocations are named.
      if (startedAtMs - this.lookedAtMs > mostBlindMs) this.forgetAll();
      for (const id of ids) {
        const key = this.keyOf.get(id);
        if (key !== undefined) this.known.delete(key);
        this.keyOf.delete(id);
      }
      this.lookedAtMs = startedAtMs;
    } catch (err) {
      logger().debug({ err }, "revoked tokens cannot be read");
    }
    this.isLooking = false;
  }

  private forgetAll(): void {
    this.known.clear();
    this.keyOf.clear();
  }

  private async note(): Promise<void> {
    const { uses } = this;
    if (uses.size === 0) return;
    this.uses = new Map();
    const told = [...uses].map(([id, address]) => ({ id, from: roughPlace(address) }));
    await this.reader.note(told).catch((err: unknown) => {
      logger().debug({ err }, "uses of tokens are not written down");
    });
  }
}
