import type { RouteReplica } from "@/domain/routes";
import type { DialAddress } from "@/lib/server/board-protocol";

/** A slot that answers for a revision, with what this gateway knows of it. */
export interface Replica extends RouteReplica {
  /** Calls of ours that it has not answered yet. */
  outstanding: number;
  /** Not asked before this moment of the monotonic clock. */
  withdrawnUntilMs: number;
  /** Whether its board said last that it holds something else: then newer routes know where the model is. */
  isMisplaced: boolean;
}

/** The replicas of all snapshots so far that still exist: counts survive a new snapshot, a new epoch starts afresh. */
export class ReplicaPool {
  private known = new Map<string, Replica>();

  /** Takes over the replicas of a new snapshot and forgets the others. */
  renew(routes: readonly RouteReplica[]): ReadonlyMap<string, Replica> {
    this.known = new Map(
      routes.map((route) => {
        const key = replicaKey(route);
        const old = this.known.get(key);
        const replica = old ?? {
          ...route,
          outstanding: 0,
          withdrawnUntilMs: 0,
          isMisplaced: false,
        };
        return [key, replica];
      }),
    );
    return this.known;
  }
}

/** Tells replicas apart: a slot that was loaded again, or has moved, is another one. */
export function replicaKey({ slotId, slotEpoch, address }: RouteReplica): string {
  return `${slotId} ${slotEpoch} ${placeOf(address)}`;
}

/** Tells board servers apart. One of another host that enrolled anew has another key, and is another one. */
export function placeOf(address: DialAddress): string {
  if (address.kind === "unix") return address.path;
  const place = `${address.host}:${address.port}`;
  return address.kind === "tls" ? `${place} ${address.publicKey}` : place;
}

/** Whether any of them would be asked: not withdrawn, or still answering what it was sent. */
export function isReachable(replicas: readonly Replica[], nowMs: number): boolean {
  return replicas.some(
    ({ withdrawnUntilMs, outstanding }) => withdrawnUntilMs <= nowMs || outstanding > 0,
  );
}

/** Which replicas are out of question for a call. */
export interface ReplicaChoice {
  readonly except?: Replica;
  /** Calls that a replica may have at most, with the one to come. */
  readonly below?: number;
}

/** The replica with the least outstanding calls; equals take turns. Null when none may be asked. */
export function pickReplica(
  replicas: readonly Replica[],
  nowMs: number,
  { except, below = Number.POSITIVE_INFINITY }: ReplicaChoice = {},
): Replica | null {
  let best: Replica | null = null;
  const start = turn++ % Math.max(1, replicas.length);
  for (let i = 0; i < replicas.length; i++) {
    const replica = replicas[(start + i) % replicas.length] as Replica;
    if (replica === except || replica.withdrawnUntilMs > nowMs) continue;
    if (replica.outstanding >= (best?.outstanding ?? below)) continue;
    best = replica;
  }
  return best;
}

let turn = 0;
