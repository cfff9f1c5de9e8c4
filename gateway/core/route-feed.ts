import type { RouteSnapshot } from "@/domain/routes";
import { isAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";

const pollMs = 3000;
/** Changes come in bursts; one read takes in all that came until it began. */
const settleMs = 10;

/** Keeps the routes new until it is closed. */
export interface RouteFeed {
  /** Once the first read is over, whatever came of it. */
  readonly first: Promise<void>;
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
        busy = false;
        if (closed) return;
        timer = setTimeout(refresh, again ? settleMs : pollMs);
        again = false;
      });
  };

  const bell = listen(refresh);
  refresh();
  return {
    first,
    async close() {
      closed = true;
      clearTimeout(timer);
      await bell.close();
      await loading;
    },
  };
}
