import { isIP } from "node:net";
import { idPrefixes } from "@/lib/common/contract";
import { type AppError, httpStatusOf, type Reason } from "@/lib/common/errors";
import {
  type AuditDeed,
  type Claim,
  dropIntent,
  endIntent,
  Refusals,
  targetOf,
  withMade,
  writeIntent,
} from "@/lib/server/audit-log";
import { type Caller, digestOfToken, nobody, noProject, shownToken } from "@/lib/server/auth";
import { parseId } from "@/lib/server/db";
import { clientHeader } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";

// What a route does is written down before and after it: an action that cannot be written down is not done, and one that the portal
// died over is found by its intent. A refusal does nothing, so that it is written down if it can be.

/** What a route says of itself to the audit log; one that changes something need not say anything. */
export interface Audited<Body> {
  /** Of a `POST` that only asks. */
  readonly changesNothing?: true;
  /** Which errors are written down beside those of somebody who may not. */
  readonly refusals?: (error: AppError) => boolean;
  /** Whom somebody says to be whom nothing has let in yet. */
  readonly claim?: (body: Body) => Claim;
}

/** Of whoever is known, and of everybody else: a flood of the latter hides nothing of the former. */
const refusals = {
  known: new Refusals({ mostKinds: 200 }),
  unknown: new Refusals({ mostKinds: 50 }),
};

/** Writes down what becomes of one request. */
export class Trail {
  private caller: Caller = nobody;
  private claim: Claim | null = null;
  private intent: string | null = null;
  private readonly name: string;
  private readonly audited: Audited<never>;
  private readonly request: Request;
  private readonly params: Readonly<Record<string, unknown>>;
  private readonly requestId: string;

  constructor(
    { name, audit }: { readonly name: string; readonly audit?: Audited<never> },
    request: Request,
    {
      params,
      requestId,
    }: { readonly params: Readonly<Record<string, unknown>>; readonly requestId: string },
  ) {
    this.name = name;
    this.audited = audit ?? {};
    this.request = request;
    this.params = params;
    this.requestId = requestId;
  }

  /** Whether the route changes something. */
  private get changes(): boolean {
    const { method } = this.request;
    return method !== "GET" && method !== "HEAD" && this.audited.changesNothing !== true;
  }

  identified(caller: Caller): void {
    this.caller = caller;
  }

  /** Writes down what is about to be done. @throws when it cannot be: then it must not be. */
  async begin(body: unknown): Promise<void> {
    if (!this.changes) return;
    this.claim = this.audited.claim?.(body as never) ?? null;
    this.intent = await writeIntent(inItsProject(this.deed()));
  }

  /** Makes an entry of what was done. What cannot be written now is found by its intent. */
  async done(made: unknown): Promise<void> {
    await this.end("done", null, made);
  }

  /** Takes note of what was not done, or only in part. */
  async failed(error: AppError): Promise<void> {
    const { reason } = error;
    if (httpStatusOf(error) >= 500) return await this.end("failed", reason, null);
    if (this.intent !== null) await this.attempt(dropIntent(this.intent));
    if (!this.matters(error)) return;
    const isKnown = this.caller.kind !== "nobody";
    await refusals[isKnown ? "known" : "unknown"].note(this.refused(), reason);
  }

  private async end(
    result: "done" | "failed",
    reason: Reason | null,
    made: unknown,
  ): Promise<void> {
    if (this.intent === null) return;
    const target = withMade(targetOf(this.request.url, this.params), made);
    const claim = result === "done" ? this.claim : null;
    await this.attempt(endIntent(this.intent, { result, reason }, { target, claim }));
  }

  /** Somebody who may not, and showed something or wanted to change something; whoever has only left is not told of. */
  private matters(error: AppError): boolean {
    const { code } = error;
    if (this.audited.refusals?.(error)) return true;
    if (code === "permission_denied") return true;
    if (code !== "unauthenticated") return false;
    const { headers } = this.request;
    return this.changes || shownToken(headers.get("authorization")) !== undefined;
  }

  private deed(): AuditDeed {
    const { kind, userId, credentialId, project } = this.caller;
    const address = this.request.headers.get(clientHeader) ?? "";
    return {
      actor: { kind, id: kind === "token" ? credentialId : userId },
      // Whoever signs in or out does it everywhere.
      projectId: project === noProject ? null : project,
      action: this.name,
      target: targetOf(this.request.url, this.params),
      claim: this.claim,
      requestId: this.requestId,
      address: isIP(address) === 0 ? null : address,
    };
  }

  /** Of a token that is good no more, it is told whose it was. */
  private refused(): AuditDeed {
    const deed = this.deed();
    const token = shownToken(this.request.headers.get("authorization"));
    const tokenDigest = token === undefined ? null : digestOfToken(token);
    if (this.caller.kind !== "nobody" || tokenDigest === null) return deed;
    return { ...deed, claim: { tokenDigest } };
  }

  private async attempt(write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (err) {
      const { name: action, requestId, intent } = this;
      logger().error({ err, action, requestId, intent }, "an audit entry waits for its intent");
    }
  }
}

/** What becomes of a project is nothing to those of another, wherever it is done from; one that is made has no readers yet. */
function inItsProject(deed: AuditDeed): AuditDeed {
  const { noun, id } = deed.target;
  if (noun !== "project") return deed;
  return { ...deed, projectId: id && parseId(idPrefixes.project, id) };
}
