import type { Asked } from "../traffic";
import { chooseReady, type Names } from "./choose-ready";
import type { ServedRevision } from "./route-table";
import type { Service } from "./service";

/** What choosing again needs. */
export type Routing = Pick<Service, "readiness" | "routes" | "renewRoutes">;

/**
 * The revision for a request that no board has begun: routes change while requests are on their way, and a board may leave a
 * revision before this gateway knows where the next one is.
 *
 * @returns Null where no board would take it.
 * @throws {AppError} As `chooseReady`.
 */
export async function reroute(
  routing: Routing,
  names: Names,
  asked: Asked | null,
): Promise<ServedRevision | null> {
  const known = chooseReady(routing, names, asked);
  if (takesNow(known)) return known;
  if (!known.replicas.some(({ isMisplaced }) => isMisplaced)) return null;
  await routing.renewRoutes();
  const fresh = chooseReady(routing, names, asked);
  return takesNow(fresh) ? fresh : null;
}

const takesNow = ({ replicas }: ServedRevision): boolean => {
  const nowMs = performance.now();
  return replicas.some(
    ({ isMisplaced, withdrawnUntilMs }) => !isMisplaced && withdrawnUntilMs <= nowMs,
  );
};
