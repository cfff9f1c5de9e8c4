import { type Right, type Scope, tokenScopes } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";

/** Somebody whose right to ask was proven, and what they may do. */
export interface Caller {
  readonly project: Scope;
  readonly rights: ReadonlySet<Right>;
  /** UUID of the token that was shown; null of a person. */
  readonly tokenId: string | null;
  /** UUIDs of the endpoints that it is good for; null: every one of its project. */
  readonly endpointIds: readonly string[] | null;
}

/** The owner of an installation without accounts may do everything. */
export const ownerRights: ReadonlySet<Right> = new Set<Right>([...tokenScopes, "members", "admin"]);

/** What somebody is told who is known and may not. */
export function lacksRight({ tokenId }: Caller, right: Right): AppError {
  const isForPeople = right === "members" || right === "admin";
  return fail(
    "FORBIDDEN",
    tokenId === null
      ? "You may not do this here."
      : isForPeople
        ? "No token may do this: it is for people in the portal."
        : `This token may not do this: it lacks the scope “${right}”.`,
    {
      hint:
        tokenId === null || isForPeople
          ? "Ask somebody who may."
          : `Make a token with the scope “${right}” under Settings, Tokens.`,
    },
  );
}
