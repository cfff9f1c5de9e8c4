import { type BoardLink, placeOf, type Replica, type RouteTable } from "../core";

/** Together below a second: so long may a board server be silent before its slots get no more requests. */
const everyMs = 200;
const patienceMs = 700;
/** Patience is counted in ticks that this process was there for: what holds itself up takes no other one for silent. */
const tickMs = 50;
/** Silent that often in a row, what it has been sent is given up too: its callers are told. */
const givenUpAfter = 3;

export interface Probe {
  /** Asks now: there are new routes. */
  readonly ask: () => void;
  readonly close: () => void;
}

/** Asks every board server that has slots whether it is there, and withdraws the slots of those that are not. */
export function startProbe(routes: RouteTable, link: BoardLink): Probe {
  const silences = new Map<string, number>();
  const asking = new Set<string>();

  const look = (place: string, replicas: readonly Replica[]): void => {
    const [first] = replicas;
    if (!first || asking.has(place)) return;
    asking.add(place);
    const patience = startPatience();
    void link
      .ping(first.address, patience.signal)
      .then(
        () => {
          if (silences.delete(place)) for (const replica of replicas) restore(replica);
        },
        () => {
          const silence = (silences.get(place) ?? 0) + 1;
          silences.set(place, silence);
          const until = performance.now() + everyMs + 2 * patienceMs;
          for (const replica of replicas) {
            replica.withdrawnUntilMs = Math.max(replica.withdrawnUntilMs, until);
          }
          if (silence === givenUpAfter) link.giveUp(first.address);
        },
      )
      .finally(() => {
        patience.end();
        asking.delete(place);
      });
  };

  const ask = (): void => {
    const places = new Map<string, Replica[]>();
    for (const { revision } of routes.revisions()) {
      for (const replica of revision.replicas) {
        const place = placeOf(replica.address);
        const list = places.get(place);
        if (list) list.push(replica);
        else places.set(place, [replica]);
      }
    }
    for (const [place, replicas] of places) look(place, replicas);
  };
  const timer = setInterval(ask, everyMs);
  timer.unref();
  return { ask, close: () => clearInterval(timer) };
}

/** A signal that fires when this process has listened for as long as its patience lasts. */
function startPatience(): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  let ticks = 0;
  const tick = (): void => {
    if (++ticks * tickMs < patienceMs) timer = setTimeout(tick, tickMs);
    // What has come is read before the last word.
    else timer = setTimeout(() => controller.abort(), 1);
  };
  let timer = setTimeout(tick, tickMs);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

/** Asked again, but for one that answered from another revision. */
function restore(replica: Replica): void {
  if (Number.isFinite(replica.withdrawnUntilMs)) replica.withdrawnUntilMs = 0;
}
