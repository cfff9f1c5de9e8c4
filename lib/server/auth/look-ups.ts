import { fail } from "@/lib/common/errors";
import { RecentMap } from "@/lib/common/linked";
import { clientOf } from "@/lib/server/http";
import { PaceOfEach } from "@/lib/server/pace";

/**
 * Of one address, or network of 64 bits: 20 a second, and 100 at once. That many programs may begin together behind one address; and
 * for a flood it is next to nothing, some 2 % of what the database reads with one connection.
 */
const pace = { most: 100, withinS: 5 } as const;
/** Of all addresses together; a connection of the pool answers a thousand a second, so that this is met by a flood alone. */
const mostAtOnce = 64;
/** What was not found is not looked up again for so long. */
const unknownMs = 1000;
const mostKept = { known: 10_000, unknown: 1000, turnedAway: 20_000 } as const;

/**
 * Bounds how many tokens or sessions that nobody knows are looked up, so that a flood of made-up ones is not a flood of queries.
 * What was found lately is looked up whenever it is asked for: whoever shows it is never touched. What is new waits for room of its
 * address. What found none and comes again goes into a row of its own, which those who make up a new one each time are not in: a
 * good new token behind a flooding address comes in with its second try.
 */
export class LookUps {
  private readonly known = new RecentMap<true>(mostKept.known);
  /** Until when. */
  private readonly unknown = new RecentMap<number>(mostKept.unknown);
  private readonly turnedAway = new RecentMap<true>(mostKept.turnedAway);
  private readonly first: PaceOfEach;
  private readonly again: PaceOfEach;
  private readonly nowMs: () => number;
  private underWay = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
    this.first = new PaceOfEach("new tokens come", pace.most, { withinS: pace.withinS, nowMs });
    this.again = new PaceOfEach("tokens come again", pace.most, { withinS: pace.withinS, nowMs });
  }

  /**
   * Looks something up, or knows that it was not there a moment ago.
   *
   * @param key A digest of what is shown.
   * @throws {AppError} `RATE_LIMITED` where there is no room for what is new; what `find` throws.
   */
  async run<T extends object>(
    key: string,
    address: string | null | undefined,
    find: () => Promise<T | null>,
  ): Promise<T | null> {
    if ((this.unknown.get(key) ?? 0) > this.nowMs()) return null;
    return this.known.get(key) ? await this.read(key, find) : await this.meet(key, address, find);
  }

  /** Reads what is not known, where there is room. What is found costs its address nothing. */
  private async meet<T extends object>(
    key: string,
    address: string | null | undefined,
    find: () => Promise<T | null>,
  ): Promise<T | null> {
    const row = this.turnedAway.get(key) ? this.again : this.first;
    const room = row.of(clientOf(address ?? undefined));
    if (this.underWay >= mostAtOnce || room.tryTake() > 0) {
      this.turnedAway.set(key, true);
      throw noRoom();
    }
    this.underWay++;
    try {
      const found = await this.read(key, find);
      if (found) room.giveBack();
      return found;
    } finally {
      this.underWay--;
    }
  }

  private async read<T extends object>(
    key: string,
    find: () => Promise<T | null>,
  ): Promise<T | null> {
    const found = await find();
    this.turnedAway.delete(key);
    if (found) this.known.set(key, true);
    else {
      this.known.delete(key);
      this.unknown.set(key, this.nowMs() + unknownMs);
    }
    return found;
  }
}

const noRoom = () =>
  fail("RATE_LIMITED", "too many tokens or sessions that are not known come from this address", {
    details: { retryAfterS: 1 },
    hint: "Try again in a second: what is good comes in then.",
  });
