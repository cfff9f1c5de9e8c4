import { type Need, type Right, type Scope, tokenScopes } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";

/** Somebody whose right to ask was proven, and what they may do. */
export interface Caller {
  /** Where they ask; of somebody who is in no project, one that holds nothing. */
  readonly project: Scope;
  readonly rights: ReadonlySet<Right>;
  /** UUID of the person; null of the owner of an installation without accounts, of programs, and of the installation itself. */
  readonly userId: string | null;
  /** UUID of the person in whose name they ask: of the person, or of whose token it is; null without accounts. */
  readonly personId: string | null;
  /** UUID of what they showed, a session or a token, with which their streams end; null: nothing that ends. */
  readonly credentialId: string | null;
  readonly kind: "owner" | "person" | "token" | "nobody";
  /** UUIDs of the endpoints that a token is good for; null: every one of its project. */
  readonly endpointIds: readonly string[] | null;
}

/** The project of those who are in none. */
export const noProject = "00000000-0000-0000-0000-000000000000" as Scope;

/** Somebody who showed nothing. */
export const nobody: Caller = {
  project: noProject,
  rights: new Set(),
  userId: null,
  personId: null,
  credentialId: null,
  kind: "nobody",
  endpointIds: null,
};

/** The owner of an installation without accounts may do everything. */
export const ownerRights: ReadonlySet<Right> = new Set<Right>([...tokenScopes, "members", "admin"]);

/** Whether a caller may come to a route that needs so much. */
export function isAllowed({ kind, rights }: Caller, need: Need): boolean {
  if (need === "nothing") return true;
  if (need === "person") return kind === "person" || kind === "owner";
  if (need === "oversight") return rights.has("members") || rights.has("admin");
  return rights.has(need);
}

/** What somebody is told who is known and may not. */
export function lacksRight({ kind, project }: Caller, need: Need): AppError {
  if (kind === "token") return tokenLacks(need);
  if (need === "admin")
    return fail("FORBIDDEN", "Only those who run this Boardwalk may do this.", {
      hint: "Ask one of its administrators.",
    });
  if (project === noProject)
    return fail("FORBIDDEN", "You are in no project.", {
      hint: "Ask an admin of a project for an invitation.",
    });
  const role = need === "members" || need === "oversight" ? "admin" : "builder";
  return fail(
    "FORBIDDEN",
    `Your role in this project may not do this: it takes the role ${role}.`,
    {
      hint: "An admin of the project can give it to you.",
    },
  );
}

function tokenLacks(need: Need): AppError {
  const isForPeople = !(tokenScopes as readonly string[]).includes(need);
  return fail(
    "FORBIDDEN",
    isForPeople
      ? "No token may do this: it is for people in the portal."
      : `This token may not do this: it lacks the scope “${need}”.`,
    {
      hint: isForPeople
        ? "Ask somebody who may."
        : `Make a token with the scope “${need}” under Settings, Tokens.`,
    },
  );
}
