import { namePattern } from "@/lib/common/contract";
import type { AuditTarget } from "./types";

/** What each collection of the API is of. */
const nouns: Readonly<Record<string, string>> = {
  endpoints: "endpoint",
  builds: "build",
  models: "model",
  artifacts: "firmware",
  boards: "board",
  leases: "lease",
  waiting: "lease_wait",
  attachments: "attachment",
  enrolments: "enrolment",
  members: "member",
  invitations: "invitation",
  tokens: "token",
  recipes: "recipe",
  webhooks: "webhook",
  recipients: "recipient",
  deliveries: "delivery",
  projects: "project",
  sessions: "session",
  quotas: "quota",
  connections: "connection",
};

/** Ids and names that we give; whatever else callers put into an address, such as a token, is kept nowhere. */
const idPattern = /^(?:[a-z]{3}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|sha256:[0-9a-f]{64})$/;
const isOurs = (text: string) => idPattern.test(text) || namePattern.test(text);
const mostName = 200;

type Params = Readonly<Record<string, unknown>>;

/** What a request is about, by its address: `/api/v1/endpoints/iris/pause` is about the endpoint `iris`. */
export function targetOf(url: string, params: Params): AuditTarget {
  const parts = new URL(url).pathname.split("/").map(decoded);
  const named = ["id", "name", "digest"]
    .map((name) => params[name])
    .find((each) => typeof each === "string");
  const at = parts.findIndex((part, i) => part === named && nouns[parts[i - 1] ?? ""]);
  if (at > 0)
    return {
      noun: nouns[parts[at - 1] ?? ""] ?? null,
      id: typeof named === "string" && isOurs(named) ? named : null,
      name: null,
    };
  const collection = parts.findLast((part) => nouns[part]);
  return { noun: nouns[collection ?? ""] ?? null, id: null, name: null };
}

/** The same once what was made is known: what a route answers with has its id or its name. */
export function withMade(target: AuditTarget, made: unknown): AuditTarget {
  if (target.noun === null || target.id !== null || typeof made !== "object" || made === null)
    return target;
  const { id, name, note, boardName } = made as Readonly<Record<string, unknown>>;
  const text = name ?? note ?? boardName;
  const called = typeof text === "string" ? text.slice(0, mostName) : null;
  const found = [target.noun === "endpoint" ? name : id, name].find(
    (each) => typeof each === "string" && isOurs(each),
  );
  return { noun: target.noun, id: typeof found === "string" ? found : null, name: called };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
