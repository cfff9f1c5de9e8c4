import { createHash } from "node:crypto";
import { fail } from "@/lib/common/errors";
import { RecentMap } from "@/lib/common/linked";
import { digestOfToken, type Grant, LookUps, roughPlace, type TokenUse } from "@/lib/server/auth";
import { toStoreError } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import { Pace } from "@/lib/server/pace";

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
/** Beyond that, the token that was used longest ago is looked up anew, and its pace begins anew. */
const mostKnown = 10_000;

/** What a token is good for, and how fast it may ask. */
export interface PacedGrant extends Grant {
  /** Null: at any pace. */
  readonly pace: Pace | null;
}

interface Known {
  readonly grant: PacedGrant;
  readonly askedAtMs: number;
  readonly untilMs: number;
}

/**
 * The tokens that were shown lately, and what they are good for: looked up once, then known until they end. What nobody made leaves
 * those alone: it is looked up as far as `LookUps` has room, and a text that no token can be is not.
 */
export class KnownTokens {
  private readonly reader: TokenReader;
  private readonly known = new RecentMap<Known>(mostKnown);
  private readonly keyOf = new Map<string, string>();
  private readonly lookUps = new LookUps();
  /** Those that ask with one token while it is looked up wait for the same answer. */
  private readonly finding = new Map<string, Promise<PacedGrant | null>>();
  /** What was looked up before that is to be looked up again: it may have been revoked unseen. */
  private doubtedMs = 0;
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
   *   long that they might have been revoked; `RATE_LIMITED` for one that is not known, where too many such are shown.
   */
  grantOf(
    text: string,
    address: string | undefined,
  ): PacedGrant | null | Promise<PacedGrant | null> {
    const key = createHash("sha256").update(text).digest("base64");
    const now = performance.now();
    const known = this.known.get(key);
    if (!known || known.untilMs <= now || known.askedAtMs < this.doubtedMs)
      return this.findOnce(text, key, address);
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

  private findOnce(
    text: string,
    key: string,
    address: string | undefined,
  ): null | Promise<PacedGrant | null> {
    if (!digestOfToken(text)) return null;
    const asked = this.finding.get(key);
    if (asked !== undefined) return asked;
    const finding = this.find(text, key, address).finally(() => this.finding.delete(key));
    this.finding.set(key, finding);
    return finding;
  }

  private async find(
    text: string,
    key: string,
    address: string | undefined,
  ): Promise<PacedGrant | null> {
    const askedAtMs = performance.now();
    const found = await this.lookUps
      .run(key, address, () => this.reader.find(text))
      .catch((error: unknown) => {
        throw toStoreError(error);
      });
    const before = this.known.get(key);
    if (!found) {
      if (before) this.forget(before.grant.id);
      return null;
    }
    // Who asked too much does not begin anew for being looked up again.
    const grant = { ...found, pace: before?.grant.pace ?? this.paceOf(found) };
    // Revoked meanwhile, it might be named before it is known: then the next look names it again.
    const gone = this.known.set(key, { grant, askedAtMs, untilMs: askedAtMs + grant.livesMs });
    if (gone) this.keyOf.delete(gone.grant.id);
    this.keyOf.set(grant.id, key);
    this.use(grant, address);
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
      if (startedAtMs - this.lookedAtMs > mostBlindMs) this.doubtedMs = startedAtMs;
      for (const id of ids) this.forget(id);
      this.lookedAtMs = startedAtMs;
    } catch (err) {
      logger().debug({ err }, "revoked tokens cannot be read");
    }
    this.isLooking = false;
  }

  private forget(id: string): void {
    const key = this.keyOf.get(id);
    if (key !== undefined) this.known.delete(key);
    this.keyOf.delete(id);
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
