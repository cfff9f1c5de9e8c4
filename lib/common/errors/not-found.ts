import { type AppError, fail } from "./app-error";
import type { Reason } from "./reasons";

interface Noun {
  readonly reason: Reason;
  readonly words: string;
  /** How it is found. */
  readonly hint: string;
}

const listed = (words: string, path: string, reason: Reason = "NOT_FOUND"): Noun => ({
  reason,
  words,
  hint: `List what there is with GET /api/v1/${path}.`,
});

const nouns = {
  artifact: listed("artifact", "artifacts", "ARTIFACT_UNKNOWN"),
  attachment: listed("board at an address", "boards/attachments"),
  alias: {
    reason: "NOT_FOUND",
    words: "alias of this version",
    hint: "GET /api/v1/models/ID lists those of each version.",
  },
  board: listed("board", "boards"),
  boardModel: listed("board model", "board-models"),
  build: listed("build", "builds", "BUILD_UNKNOWN"),
  connection: listed("connection", "settings/connections"),
  projectConnection: listed("connection of this project", "connections"),
  delivery: listed("delivery", "notifications/deliveries"),
  endpoint: listed("endpoint", "endpoints", "ENDPOINT_UNKNOWN"),
  inspection: {
    reason: "NOT_FOUND",
    words: "inspection",
    hint: "Ask for another with POST /api/v1/models/inspect.",
  },
  invitation: listed("invitation", "invitations"),
  link: {
    reason: "NOT_FOUND",
    words: "link to this endpoint",
    hint: "GET /api/v1/endpoints/NAME/links lists those there are.",
  },
  lease: listed("lease", "leases"),
  leaseWait: listed("place in a waiting list", "leases/waiting"),
  mailRecipient: listed("recipient", "notifications"),
  member: listed("member", "members"),
  model: listed("model", "models", "MODEL_ROW_UNKNOWN"),
  project: listed("project of yours", "me"),
  "sign-in": listed("way to sign in", "me/sign-ins"),
  recipe: listed("recipe", "recipes"),
  search: {
    reason: "NOT_FOUND",
    words: "search",
    hint: "Start another with POST /api/v1/searches.",
  },
  session: listed("session of yours", "me/sessions"),
  token: listed("token", "tokens"),
  user: listed("person", "members"),
  webhook: listed("webhook", "notifications"),
} as const satisfies Record<string, Noun>;

const mostShown = 80;

/** What is said of something that is not there, or not in this project: what was looked for, and how to find it. */
export function notFound(noun: keyof typeof nouns, name: string): AppError {
  const { reason, words, hint } = nouns[noun];
  const shown = name.length > mostShown ? `${name.slice(0, mostShown)}…` : name;
  return fail(reason, `There is no ${words} “${shown}”.`, { hint });
}
