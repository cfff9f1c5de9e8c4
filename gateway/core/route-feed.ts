import type { RouteSnapshot } from "@/domain/routes";
import { isAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";

const pollMs = 3000;
/** Changes come in bursts; one read takes in all that came until it began. */
const settleMs = 10;
/** Pause between reads for requests that were sent to the wrong board: a board that stays wrong must not keep Postgres busy. */
const askedMs = 250;
/** Who waits for newer routes waits no longer, whatever Postgres does. */
const longestAskedMs = 1000;

/** Keeps the routes new until it is closed. */
export interface RouteFeed {
  /** Once the first read is over, whatever came of it. */
  readonly first: Promise<void>;
  /** Resolves once routes are in whose reading began after this, or can be had no sooner than a second. */
  renewed(): Promise<void>;
  close(): Promise<void>;
}

/** Where routes are read, and who takes them over. */
export interface RouteFeedOptions {
  readonly load: () => Promise<RouteSnapshot>;
  /** Rings when routes may have changed; a poll stands behind it. */
  readonly listen: (onRing: () => void) => { close(): Promise<void> };
  /** Takes over what was read. */
  readonly renew: (snapshot: RouteSnapshot, readAtMs: number) => void;
}

/** Keeps the route table new: at every ring, and every few seconds whatever happens. */
export function startRouteFeed({ load, listen, renew }: RouteFeedOptions): RouteFeed {
  let timer: NodeJS.Timeout | undefined;
  let loading: Promise<void> = Promise.resolve();
  let busy = false;
  let again = false;
  let closed = false;
  let lastReadMs = Number.NEGATIVE_INFINITY;
  /** Those who wait for routes that are not read yet. */
  let asking: (() => void)[] = [];
  let endFirst = (): void => {};
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });

  const refresh = (): void => {
    if (closed) return;
    clearTimeout(timer);
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    const readAtMs = performance.now();
    lastReadMs = readAtMs;
    const served = asking;
    asking = [];
    loading = load()
      .then(
        (snapshot) => renew(snapshot, readAtMs),
        (err: unknown) => {
          const reason = isAppError(err) ? err.reason : "INTERNAL";
          logger().warn({ err, reason }, "routes cannot be read");
        },
      )
      .then(() => {
        endFirst();
        for (const resolve of served) resolve();
        busy = false;
        if (closed) return;
        timer = setTimeout(refresh, again ? settleMs : asking.length > 0 ? askedMs : pollMs);
        again = false;
      });
  };

  const renewed = (): Promise<void> =>
    new Promise((resolve) => {
      if (closed) return resolve();
      setTimeout(resolve, longestAskedMs).unref();
      asking.push(resolve);
      if (busy || asking.length > 1) return;
      clearTimeout(timer);
      timer = setTimeout(refresh, Math.max(0, lastReadMs + askedMs - performance.now()));
    });

  const bell = listen(refresh);
  refresh();
  return {
    first,
    renewed,
    async close() {
      closed = true;
      clearTimeout(timer);
      for (const resolve of asking) resolve();
      await bell.close();
      await loading;
    },
  };
}
