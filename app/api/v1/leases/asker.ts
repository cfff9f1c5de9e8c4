import type { Asker } from "@/domain/board-leases";
import type { LeaseLimits } from "@/lib/common/contract";
import type { Caller } from "@/lib/server/auth";
import { portalEnv } from "@/lib/server/env";

/** Who asks: admins of a project may also end what others of it have. */
export const askerOf = ({ project, userId, rights }: Caller): Asker => ({
  scope: project,
  userId,
  mayEndOthers: rights.has("members"),
});

/** What this installation allows. */
export function leaseLimits(): LeaseLimits {
  const env = portalEnv();
  return {
    minutes: env.BOARD_LEASE_MINUTES,
    mostMinutes: env.BOARD_LEASE_MOST_MINUTES,
    aheadDays: env.BOARD_LEASE_AHEAD_DAYS,
  };
}
