import { createHash } from "node:crypto";
import { clientOf } from "@/lib/server/http";
import { PaceOfEach } from "@/lib/server/pace";

// Whoever guesses is slowed down, and nobody is locked out: a lock would let anybody keep others from signing in.

const mostFailures = 10;
const windowMs = 15 * 60_000;
/** After that many failures, one try in so long. */
const betweenMs = 30_000;
/**
 * Tries of one network, whichever accounts they name; right ones are not counted. Each takes a core for a while, so that a network
 * which made up a name each time would keep everybody else waiting.
 */
const ofNetwork = { most: 30, withinS: 60 } as const;
/** Pairs of a name and an address that are remembered; the oldest go first. */
const mostPairs = 20_000;

interface Failures {
  count: number;
  firstMs: number;
  lastMs: number;
}

/** Counts failed tries to sign in, for each account from each address. */
export class SignInFailures {
  private readonly pairs = new Map<string, Failures>();
  private readonly networks: PaceOfEach;
  private readonly nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
    this.networks = new PaceOfEach("", ofNetwork.most, { withinS: ofNetwork.withinS, nowMs });
  }

  /** How long the next try has to wait, in seconds; 0: it need not. */
  waitS(email: string, address: string): number {
    const failures = this.pairs.get(keyOf(email, address));
    const now = this.nowMs();
    if (!failures || now - failures.firstMs > windowMs || failures.count < mostFailures) return 0;
    return Math.max(0, Math.ceil((failures.lastMs + betweenMs - now) / 1000));
  }

  /**
   * Counts a try before it is judged, so that many at once count as many.
   *
   * @returns How long it has to wait for others of its network, in seconds, and is not counted; 0: it need not.
   */
  count(email: string, address: string): number {
    const waitS = Math.ceil(this.networks.of(clientOf(address)).tryTake());
    if (waitS > 0) return waitS;
    const key = keyOf(email, address);
    const now = this.nowMs();
    const before = this.pairs.get(key);
    const isCurrent = before && now - before.firstMs <= windowMs;
    const failures = isCurrent ? before : { count: 0, firstMs: now, lastMs: now };
    failures.count++;
    failures.lastMs = now;
    this.pairs.delete(key);
    this.pairs.set(key, failures);
    const [oldest] = this.pairs.keys();
    if (this.pairs.size > mostPairs && oldest !== undefined) this.pairs.delete(oldest);
    return 0;
  }

  /** Forgets what was counted: it was them. */
  forget(email: string, address: string): void {
    this.pairs.delete(keyOf(email, address));
    this.networks.of(clientOf(address)).giveBack();
  }
}

/** Of one length, whatever was typed. */
const keyOf = (email: string, address: string): string =>
  createHash("sha256").update(`${email.toLowerCase()} ${address}`).digest("base64url");
