import { createHash, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { type AppError, fail } from "@/lib/common/errors";
import { peerUid } from "@/lib/server/process";

/** Who calls: the owner, a process of another user of this machine, or somebody of whom neither is known. */
export type Identity = "owner" | "other" | "unknown";

/** What a call is judged by. */
interface Calling {
  readonly socket: Socket;
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly cookie?: string | undefined;
  };
}

/** How the owner of the installation is recognised. */
export interface OwnerOptions {
  /** Makes its bearer the owner, wherever they call from. */
  readonly token?: string | undefined;
  /** A further user of this machine who is the owner, beside root and the one that this process runs as. */
  readonly uid?: number | undefined;
  /** How the user of a connection is found; null: not at all. */
  readonly uidOf?: (socket: Socket) => Promise<number | null>;
}

/**
 * Tells the owner of an installation without accounts from everybody else: the owner is the user who started it. For
 * connections from this machine the system says whose they are; callers of whom it says nothing show a token.
 */
export class OwnerGuard {
  private readonly uids: ReadonlySet<number>;
  private readonly token: Buffer | null;
  private readonly cookie: Buffer | null;
  private readonly uidOf: (socket: Socket) => Promise<number | null>;
  private readonly peers = new WeakMap<Socket, Identity | Promise<Identity>>();

  constructor({ token, uid, uidOf = peerUid }: OwnerOptions = {}) {
    this.uidOf = uidOf;
    const own = process.getuid?.();
    this.uids = new Set([0, own ?? 0, ...(uid === undefined ? [] : [uid])]);
    this.token = token ? digest(token) : null;
    this.cookie = token ? digest(cookieValue(token)) : null;
  }

  /** A connection is looked up once, and its answer is at hand after that. */
  identify({ socket, headers }: Calling): Identity | Promise<Identity> {
    if (this.hasToken(headers.authorization) || this.hasCookie(socket, headers.cookie)) {
      return "owner";
    }
    const known = this.peers.get(socket);
    if (known !== undefined) return known;
    const asked = this.uidOf(socket).then((uid): Identity => {
      const identity = uid === null ? "unknown" : this.uids.has(uid) ? "owner" : "other";
      this.peers.set(socket, identity);
      return identity;
    });
    this.peers.set(socket, asked);
    return asked;
  }

  /**
   * The cookie that stands for the token of an address such as `/?token=…`, which the browser opened.
   *
   * @returns Null where the token is not the right one.
   */
  cookieFor(socket: Socket, token: string): string | null {
    if (!this.token || !equal(token, this.token)) return null;
    const attributes = "Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000";
    return `${cookieName(socket)}=${cookieValue(token)}; ${attributes}`;
  }

  /** Whether a header shows the owner's token. */
  hasToken(authorization: string | undefined): boolean {
    if (!this.token || authorization === undefined) return false;
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    return token !== undefined && equal(token, this.token);
  }

  private hasCookie(socket: Socket, cookies: string | undefined): boolean {
    const { cookie } = this;
    if (!cookie || cookies === undefined) return false;
    const name = `${cookieName(socket)}=`;
    return cookies
      .split(";")
      .map((pair) => pair.trim())
      .some((pair) => pair.startsWith(name) && equal(pair.slice(name.length), cookie));
  }
}

/** What somebody is told who is not the owner. */
export function notOwner(identity: Exclude<Identity, "owner">): AppError {
  if (identity === "other") {
    return fail("FORBIDDEN", "This Boardwalk belongs to another user of this machine.", {
      hint: "Start your own, or ask its owner for a token (BOARDWALK_OWNER_TOKEN).",
    });
  }
  return fail("UNAUTHENTICATED", "Boardwalk cannot tell that its owner is calling.", {
    hint: "Open the address that `npm start` printed, with its token, or set BOARDWALK_OWNER_TOKEN and open /?token=…",
  });
}

/** Cookies of a host are sent to all of its ports. */
const cookieName = ({ localPort = 0 }: Socket) => `boardwalk-owner-${localPort}`;
/** Not the token itself: it lies in the browser's files. */
const cookieValue = (token: string) =>
  createHash("sha256").update(`boardwalk cookie ${token}`).digest("base64url");
const digest = (text: string) => createHash("sha256").update(text).digest();
/** Compared by digests: in constant time, whatever the lengths. */
const equal = (text: string, wanted: Buffer) => timingSafeEqual(digest(text), wanted);
