import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { fail } from "@/lib/common/errors";
import { notOwner, type OwnerGuard } from "@/lib/server/http";
import { unknownModel } from "./model-errors";

/** What a caller wants: to use or see a model, or to change what is served. */
export type Action = "use" | "control";

/** Somebody whose token was found good. */
export interface Caller {
  readonly id: string;
  /** @param model Null: no model in particular. */
  may(action: Action, model: string | null): boolean;
}

/** How callers are told apart. */
export interface AccessOptions {
  /** Who a token belongs to; null: nobody. Absent: no tokens exist, and whoever reaches this server may use it. */
  readonly verify?: (token: string) => Promise<Caller | null>;
  /** Where no tokens exist: tells who may change what is served. Absent: everybody. */
  readonly owner?: OwnerGuard;
  /** A token that is revoked works on for so long. */
  readonly cacheMs?: number;
}

/** Who asks, as far as the connection and its words tell. */
export interface Asking {
  /** The header, or the metadata of a call: `Bearer …`. */
  readonly authorization: string | undefined;
  readonly socket: Socket;
}

const anybody: Caller = { id: "anybody", may: () => false };
const owner: Caller = { id: "owner", may: () => true };
const maxCached = 10_000;

/** Decides who may do what. What tokens say is asked once in a while, not for every request. */
export class Access {
  private readonly verify: AccessOptions["verify"];
  private readonly owner: OwnerGuard | undefined;
  private readonly cacheMs: number;
  private readonly cache = new Map<string, { caller: Caller | null; untilMs: number }>();

  constructor({ verify, owner: guard, cacheMs = 10_000 }: AccessOptions = {}) {
    this.verify = verify;
    this.owner = guard;
    this.cacheMs = cacheMs;
  }

  /**
   * Who asks, once it is known that they may.
   *
   * @param action Null: anybody may, token or not.
   * @throws {AppError} `UNAUTHENTICATED` without a good token; `FORBIDDEN`; `MODEL_NOT_FOUND` for a model that the caller
   *   may not even know of.
   */
  check(
    { authorization, socket }: Asking,
    action: Action | null,
    model: string | null,
  ): Caller | Promise<Caller> {
    if (action === null) return anybody;
    if (!this.verify) {
      if (action !== "control" || !this.owner) return owner;
      return this.proveOwner(this.owner, { authorization, socket });
    }
    return this.callerOf(authorization).then((caller) => permit(caller, action, model));
  }

  private async proveOwner(guard: OwnerGuard, { authorization, socket }: Asking): Promise<Caller> {
    const identity = await guard.identify({ socket, headers: { authorization } });
    if (identity !== "owner") throw notOwner(identity);
    return owner;
  }

  private async callerOf(authorization: string | undefined): Promise<Caller> {
    const token = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(authorization ?? "")?.[1];
    if (token === undefined || !this.verify) throw unauthenticated("a bearer token is needed");
    const key = createHash("sha256").update(token).digest("base64");
    const now = performance.now();
    let entry = this.cache.get(key);
    if (!entry || entry.untilMs <= now) {
      entry = { caller: await this.verify(token), untilMs: now + this.cacheMs };
      if (this.cache.size >= maxCached) this.cache.clear();
      this.cache.set(key, entry);
    }
    if (!entry.caller) throw unauthenticated("the bearer token is not known");
    return entry.caller;
  }
}

function permit(caller: Caller, action: Action, model: string | null): Caller {
  if (caller.may(action, model)) return caller;
  if (model !== null && !caller.may("use", model)) throw unknownModel(model);
  throw fail("FORBIDDEN", "this token may not change what is served");
}

const unauthenticated = (message: string) => fail("UNAUTHENTICATED", message);
