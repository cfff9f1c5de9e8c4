import type { Socket } from "node:net";
import { isPrivateToOther } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { type Grant, shownToken, unknownToken } from "@/lib/server/auth";
import { notOwner, type OwnerGuard } from "@/lib/server/http";
import type { Pace } from "@/lib/server/pace";
import { KnownTokens, type PacedGrant, type TokenReader } from "./known-tokens";
import { unknownModel } from "./model-errors";
import type { RouteTable } from "./route-table";

/** What a caller wants: to use or see a model, or to change what is served. */
export type Action = "use" | "control";

/** Somebody who may ask. */
export interface Caller {
  readonly id: string;
  /** Who they are for what each person and each token of a project may ask; null: nobody in particular. */
  readonly who: string | null;
  /** How fast their token may ask; null: at any pace. */
  readonly pace: Pace | null;
  /** @param model Null: no model in particular. */
  may(action: Action, model: string | null): boolean;
}

/** How callers are told apart. */
export interface AccessOptions {
  /** Where tokens are looked up. Absent: there are none, and whoever reaches this server may use it. */
  readonly tokens?: TokenReader;
  /** Tells who may change what is served without a token. Absent: everybody. */
  readonly owner?: OwnerGuard;
}

/** Who asks, as far as the connection and its words tell. */
export interface Asking {
  /** The header, or the metadata of a call: `Bearer …`. */
  readonly authorization: string | undefined;
  readonly socket: Socket;
  /** For whom the portal asks, as its header says it; of others it is left aside. */
  readonly asker?: string | undefined;
}

const owner: Caller = { id: "owner", who: null, pace: null, may: () => true };

/** Decides who may do what. */
export class Access {
  private readonly routes: RouteTable;
  private readonly tokens: KnownTokens | null;
  private readonly owner: OwnerGuard | undefined;
  private readonly anybody: Caller;

  constructor(routes: RouteTable, { tokens, owner: guard }: AccessOptions = {}) {
    this.routes = routes;
    this.tokens = tokens ? new KnownTokens(tokens, () => routes.gateways) : null;
    this.owner = guard;
    this.anybody = {
      id: "anybody",
      who: null,
      pace: null,
      may: (action, model) => action === "use" && (model === null || this.isOpen(model)),
    };
  }

  /**
   * Who asks, once it is known that they may. A token of ours is judged wherever it is shown; without one, whoever reaches this server
   * may use what is open to all, and the owner may change what is served.
   *
   * @param action Null: anybody may, token or not.
   * @throws {AppError} `UNAUTHENTICATED` without a good token; `FORBIDDEN`; `MODEL_NOT_FOUND` for a model that the caller
   *   may not even know of; `STORE_UNAVAILABLE`.
   */
  check(
    { authorization, socket, asker }: Asking,
    action: Action | null,
    model: string | null,
  ): Caller | Promise<Caller> {
    if (action === null) return this.anybody;
    if (this.owner?.hasToken(authorization)) return owner;
    const token = shownToken(authorization);
    if (this.tokens && token !== undefined) {
      const grant = this.tokens.grantOf(token, socket.remoteAddress);
      if (grant instanceof Promise)
        return grant.then((found) => this.permit(found, asker, action, model));
      return this.permit(grant, asker, action, model);
    }
    if (action === "control" && this.owner)
      return proveOwner(this.owner, { authorization, socket });
    if (action === "control" && !this.tokens) return owner;
    if (this.anybody.may(action, model)) return this.anybody;
    throw tokenWanted();
  }

  async close(): Promise<void> {
    await this.tokens?.close();
  }

  private permit(
    grant: PacedGrant | null,
    asker: string | undefined,
    action: Action,
    model: string | null,
  ): Caller {
    if (!grant) throw unknownToken();
    const caller: Caller = {
      id: grant.id,
      who: whoOf(grant, asker),
      pace: grant.pace,
      may: (wanted, name) => this.isGood(grant, wanted, name),
    };
    if (caller.may(action, model)) return caller;
    if (model !== null && !this.mayKnow(grant, model)) throw unknownModel(model);
    throw fail("FORBIDDEN", `this token lacks the scope “${scopeOf[action]}”`);
  }

  private isGood(grant: Grant, action: Action, model: string | null): boolean {
    if (grant.kind === "portal") return true;
    if (model === null) return action === "use" || grant.scopes.includes(scopeOf[action]);
    if (action === "use" && this.isOpen(model)) return true;
    return grant.scopes.includes(scopeOf[action]) && this.mayKnow(grant, model);
  }

  /** Whether a model is one of the token's project and not private to another, or open to all. A link is good for the one it names. */
  private mayKnow({ kind, project, userId, endpointIds }: Grant, model: string): boolean {
    const route = this.routes.routeOf(model);
    if (this.isOpen(model)) return true;
    if (!route || route.project !== project) return false;
    if (kind !== "link" && isPrivateToOther(route, userId)) return false;
    return endpointIds === null || (route.id !== undefined && endpointIds.includes(route.id));
  }

  /** Where some model asks for a token, one that does not exist asks for it too: nobody learns which names are taken. */
  private isOpen(model: string): boolean {
    const route = this.routes.routeOf(model);
    if (route) return (route.access ?? "all") === "all";
    return !this.routes.hasClosed;
  }
}

/** All tokens of a person are theirs; a link is whoever's has it, and the portal says for whom it asks. */
function whoOf({ kind, id, userId }: Grant, asker: string | undefined): string | null {
  if (kind === "portal") return asker ?? null;
  return kind === "link" ? id : (userId ?? id);
}

const scopeOf = { use: "infer", control: "deploy" } as const;

async function proveOwner(guard: OwnerGuard, { authorization, socket }: Asking): Promise<Caller> {
  const identity = await guard.identify({ socket, headers: { authorization } });
  if (identity !== "owner") throw notOwner(identity);
  return owner;
}

const tokenWanted = (): AppError =>
  fail("UNAUTHENTICATED", "this model asks for a token: send `Authorization: Bearer bw_api_…`");
