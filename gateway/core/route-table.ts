import type { RouteEndpoint, RouteRevision, RouteSnapshot } from "@/domain/routes";
import { Pace, PaceOfEach } from "@/lib/server/pace";
import { notReady, unknownModel, unknownVersion, unreachable } from "./model-errors";
import { isReachable, type Replica, ReplicaPool, replicaKey } from "./replicas";

/** A revision as requests see it. */
export interface ServedRevision extends Omit<RouteRevision, "replicas"> {
  readonly replicas: readonly Replica[];
  /** How fast its project may ask; absent: at any pace. */
  readonly pace?: Pace | undefined;
  /** How fast each person and each token of its project may ask; absent: at any pace. */
  readonly paceOfEach?: PaceOfEach | undefined;
}

/** What the repository extension tells of a version. */
export interface IndexEntry {
  readonly name: string;
  readonly version: string;
  readonly state: "READY" | "UNAVAILABLE" | "LOADING";
  readonly reason: string;
}

interface ServedEndpoint {
  readonly route: RouteEndpoint;
  readonly byVersion: ReadonlyMap<string, ServedRevision>;
  /** What a request without a version may get, with its share. */
  readonly shares: readonly { readonly revision: ServedRevision; readonly percent: number }[];
}

/** Which states may pass by themselves, so that a caller may come again. */
const passing = new Set(["building", "loading", "testing", "degraded"]);

/** How long a pause made here holds at most by itself: by then a snapshot has come. */
const aheadMs = 10_000;

interface Ahead {
  readonly paused: boolean;
  /** By the clock of `performance.now`. */
  readonly sinceMs: number;
}

/** The newest snapshot, indexed for requests. */
export class RouteTable {
  private endpoints = new Map<string, ServedEndpoint>();
  private readonly pool = new ReplicaPool();
  /** Paused or resumed here, until a snapshot comes that was read later: it knows of this, and of what others did since. */
  private readonly ahead = new Map<string, Ahead>();
  /** By project, each for as long as its number stays the same. */
  private paces: ReadonlyMap<string, Paces> = new Map();
  /** How many gateways share what may be asked. */
  gateways = 1;
  private loadedAtMs: number | null = null;
  /** Whether any endpoint asks for a token. */
  hasClosed = false;

  /** @param readAtMs When the reading of the snapshot began, by the clock of `performance.now`. */
  renew(snapshot: RouteSnapshot, readAtMs: number): void {
    for (const [name, { sinceMs }] of this.ahead) if (sinceMs < readAtMs) this.ahead.delete(name);
    const replicas = this.pool.renew(
      snapshot.endpoints.flatMap(({ revisions }) => revisions.flatMap((each) => each.replicas)),
    );
    this.gateways = Math.max(1, snapshot.gateways ?? 1);
    this.paces = pacesOf(snapshot, this.paces);
    this.endpoints = new Map(
      snapshot.endpoints.map((route) => [
        route.name,
        serve(route, replicas, this.paces.get(route.project ?? "")),
      ]),
    );
    this.hasClosed = snapshot.endpoints.some(({ access = "all" }) => access !== "all");
    this.loadedAtMs = performance.now();
  }

  /** Milliseconds since the last snapshot; null before the first. */
  get ageMs(): number | null {
    return this.loadedAtMs === null ? null : performance.now() - this.loadedAtMs;
  }

  has(name: string): boolean {
    return this.endpoints.has(name);
  }

  /** An endpoint as the newest snapshot has it. */
  routeOf(name: string): RouteEndpoint | undefined {
    return this.endpoints.get(name)?.route;
  }

  get names(): string[] {
    return [...this.endpoints.keys()];
  }

  /**
   * The revision that answers a request: the named version, else one by the route's shares.
   *
   * @throws {AppError} `MODEL_NOT_FOUND`, `MODEL_NOT_READY`.
   */
  choose(name: string, version: string | null): ServedRevision {
    const endpoint = this.find(name);
    if (this.isPaused(endpoint.route)) throw notReady(name, "it is paused");
    const revision = version === null ? drawRevision(endpoint) : endpoint.byVersion.get(version);
    if (revision === undefined) {
      if (version === null) throw notReady(name, whyNotReady(endpoint.route));
      throw unknownVersion(name, version, [...endpoint.byVersion.keys()]);
    }
    if (revision.replicas.length === 0) throw notReady(name, whyNotReady(endpoint.route));
    return revision;
  }

  /** Every revision of the snapshot. */
  *revisions(): Generator<{ readonly model: string; readonly revision: ServedRevision }> {
    for (const { route, byVersion } of this.endpoints.values()) {
      for (const revision of byVersion.values()) yield { model: route.name, revision };
    }
  }

  /** Answers nothing for a model from now on, before the next snapshot says so too. */
  pause(name: string): void {
    this.ahead.set(name, { paused: true, sinceMs: performance.now() });
  }

  /** Takes a pause back, before the next snapshot does. */
  resume(name: string): void {
    this.ahead.set(name, { paused: false, sinceMs: performance.now() });
  }

  /** What the repository extension lists: each version with its state. Models that were paused are not served. */
  index(): IndexEntry[] {
    return [...this.endpoints.values()].flatMap(({ route, byVersion }): IndexEntry[] => {
      const { name, state } = route;
      if (this.isPaused(route)) {
        return [{ name, version: "", state: "UNAVAILABLE", reason: "unloaded" }];
      }
      if (byVersion.size === 0) {
        const loading = passing.has(state);
        const reason = whyNotReady(route);
        return [{ name, version: "", state: loading ? "LOADING" : "UNAVAILABLE", reason }];
      }
      return [...byVersion.values()].map((revision) => {
        const { version } = revision;
        const ready = answersNow(revision);
        const loading = passing.has(state);
        return {
          name,
          version,
          state: ready ? "READY" : loading ? "LOADING" : "UNAVAILABLE",
          reason: ready ? "" : whyNotReady(route),
        };
      });
    });
  }

  private isPaused({ name, state }: RouteEndpoint): boolean {
    const ahead = this.ahead.get(name);
    if (!ahead || ahead.sinceMs + aheadMs < performance.now()) return state === "paused";
    return ahead.paused;
  }

  /** Versions that answer now, as text, oldest first. */
  readyVersions(name: string): string[] {
    return [...this.find(name).byVersion.values()].filter(answersNow).map(({ version }) => version);
  }

  /** Whether a model that is not ready may become so by waiting. */
  mayComeBack(name: string): boolean {
    const state = this.endpoints.get(name)?.route.state;
    return state !== undefined && passing.has(state);
  }

  private find(name: string): ServedEndpoint {
    const endpoint = this.endpoints.get(name);
    if (!endpoint) throw unknownModel(name);
    return endpoint;
  }
}

/**
 * Whether a request for a revision would be sent to a board now.
 *
 * @throws {AppError} `MODEL_NOT_READY`
 */
export function checkReachable(name: string, revision: ServedRevision): void {
  if (!answersNow(revision)) throw unreachable(name);
}

const answersNow = ({ replicas }: ServedRevision): boolean =>
  isReachable(replicas, performance.now());

/** The paces of a project. */
type Paces = Pick<ServedRevision, "pace" | "paceOfEach">;

function pacesOf(
  { endpoints }: RouteSnapshot,
  before: ReadonlyMap<string, Paces>,
): ReadonlyMap<string, Paces> {
  const paces = new Map<string, Paces>();
  for (const { project = "", requestsPerSecond, requestsPerSecondEach } of endpoints) {
    if (paces.has(project)) continue;
    const known = before.get(project);
    paces.set(project, {
      pace: paceOf(known?.pace, requestsPerSecond ?? null),
      paceOfEach: paceOfEachOf(known?.paceOfEach, requestsPerSecondEach ?? null),
    });
  }
  return paces;
}

function paceOf(known: Pace | undefined, perSecond: number | null): Pace | undefined {
  if (perSecond === null) return undefined;
  if (known?.most === perSecond) return known;
  return new Pace("the project of this model is asked", () => perSecond);
}

function paceOfEachOf(
  known: PaceOfEach | undefined,
  perSecond: number | null,
): PaceOfEach | undefined {
  if (perSecond === null) return undefined;
  if (known?.most === perSecond) return known;
  return new PaceOfEach("each person and each token of this project may ask no", perSecond);
}

function serve(
  route: RouteEndpoint,
  pool: ReadonlyMap<string, Replica>,
  paces: Paces | undefined,
): ServedEndpoint {
  const revisions = route.revisions.map((revision): ServedRevision => {
    const replicas = revision.replicas.flatMap((each) => pool.get(replicaKey(each)) ?? []);
    return { ...revision, replicas, ...paces };
  });
  const shares = route.split.flatMap(({ revisionId, percent }) => {
    const revision = revisions.find(({ id }) => id === revisionId);
    return revision && percent > 0 ? [{ revision, percent }] : [];
  });
  return { route, shares, byVersion: new Map(revisions.map((each) => [each.version, each])) };
}

/** One of the revisions that share a route, as often as its percent say. */
function drawRevision({ shares }: ServedEndpoint): ServedRevision | undefined {
  if (shares.length <= 1) return shares[0]?.revision;
  let left = Math.random() * shares.reduce((sum, { percent }) => sum + percent, 0);
  return shares.find(({ percent }) => (left -= percent) < 0)?.revision ?? shares[0]?.revision;
}

function whyNotReady({ state, reason }: RouteEndpoint): string {
  if (reason !== null && reason !== "") return reason;
  return state === "ready" ? "no board serves it just now" : `it is ${state}`;
}
