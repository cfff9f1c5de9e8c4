import type { RouteEndpoint } from "@/domain/routes";
import type { AccessOptions } from "@/gateway/core";
import type { Scope } from "@/lib/common/contract";
import { type Grant, makeTokenText } from "@/lib/server/auth";

const own = "own" as Scope;
const foreign = "foreign" as Scope;

/** Bearer tokens of callers: a program that may infer, one that may deploy too, a link to `add`, and one that nobody knows. */
export const tokenOf = {
  user: makeTokenText("api").text,
  admin: makeTokenText("api").text,
  guest: makeTokenText("link").text,
  stranger: makeTokenText("api").text,
};
/** Who calls: null shows no token. */
export type CallerName = keyof typeof tokenOf | null;

const grant = (id: string, scopes: Grant["scopes"]): Grant => ({
  id,
  kind: "api",
  project: own,
  userId: id,
  scopes,
  endpointIds: null,
  requestsPerSecond: null,
  livesMs: 3_600_000,
});
const grants = new Map<string, Grant>([
  [tokenOf.user, grant("user", ["infer"])],
  [tokenOf.admin, grant("admin", ["infer", "deploy"])],
  [tokenOf.guest, { ...grant("guest", ["infer"]), kind: "link", endpointIds: ["id of add"] }],
]);

/** A reader of those tokens, and what it was asked; `revoke` has one be good no more, and rings. */
export function knownTokens() {
  const live = new Map(grants);
  const revoked: string[] = [];
  const rings = new Set<() => void>();
  const asked: string[] = [];
  const tokens: AccessOptions["tokens"] = {
    async find(text) {
      asked.push(text);
      return live.get(text) ?? null;
    },
    listRevoked: async () => revoked,
    listEnded: async (ids) => ids.filter((id) => revoked.includes(id)),
    listen(onRing) {
      rings.add(onRing);
      return { close: async () => {} };
    },
    note: async () => {},
  };
  return {
    tokens,
    asked,
    revoke(name: keyof typeof tokenOf, { isHeard = true } = {}) {
      live.delete(tokenOf[name]);
      revoked.push(name);
      if (isHeard) for (const ring of rings) ring();
    },
  };
}

/** Endpoints that ask for a token: those of the callers' project, but for `matrix`, which is another's. */
export const closed = (endpoints: readonly RouteEndpoint[]): RouteEndpoint[] =>
  endpoints.map((each) => ({
    ...each,
    id: `id of ${each.name}`,
    access: "project",
    project: each.name === "matrix" ? foreign : own,
  }));
