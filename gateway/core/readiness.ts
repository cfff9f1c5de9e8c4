import { type AppError, fail } from "@/lib/common/errors";
import type { RouteTable } from "./route-table";

/** Postgres may be away this long before answers would be from another age. */
const oldestSnapshotMs = 60_000;

/** Whether this gateway may answer: it has routes that are not too old, and it is not leaving. */
export class Readiness {
  /** It says that it is not ready, and answers what comes all the same. */
  draining = false;
  /** It ends what runs, and takes nothing new. */
  closing = false;
  private readonly routes: RouteTable;
  private readonly maxAgeMs: number;

  constructor(routes: RouteTable, maxAgeMs = oldestSnapshotMs) {
    this.routes = routes;
    this.maxAgeMs = maxAgeMs;
  }

  /** @throws {AppError} `MODEL_NOT_READY`, `STORE_UNAVAILABLE` */
  check(): void {
    if (this.draining) throw leaving();
    this.checkRoutes();
  }

  /** The same, for an inference. @throws {AppError} `MODEL_NOT_READY`, `STORE_UNAVAILABLE` */
  checkTaking(): void {
    if (this.closing) throw leaving();
    this.checkRoutes();
  }

  /** The same, for what may still be asked while running requests end. */
  checkRoutes(): void {
    const { ageMs } = this.routes;
    if (ageMs === null) throw fail("STORE_UNAVAILABLE", "the server is starting");
    if (ageMs > this.maxAgeMs) {
      throw fail("STORE_UNAVAILABLE", "the server has lost touch with its control plane");
    }
  }
}

function leaving(): AppError {
  return fail("MODEL_NOT_READY", "the server is shutting down");
}
