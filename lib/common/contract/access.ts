import { z } from "zod";
import type { TokenScope } from "./tokens";

/** Everything that somebody may be allowed: what tokens may be, and what they never are. */
export type Right =
  | TokenScope
  /** Tokens, receivers of notifications, connections: what belongs to the people of a project. */
  | "members"
  /** Boards, their servers, and the installation itself. */
  | "admin";

/**
 * What callers of a route must be allowed; some routes are for everybody, some for everybody who signed in, and `oversight` is for
 * those who run the project or the installation.
 */
export type Need = Right | "nothing" | "person" | "oversight";

/** Who may ask an endpoint: its owner alone, who shows a token of its project, or everybody who reaches the gateway. */
export const endpointAccessSchema = z.enum(["private", "project", "all"]);
/** Who may ask an endpoint. */
export type EndpointAccess = z.infer<typeof endpointAccessSchema>;
/** Another choice of who may ask an endpoint. */
export const accessChangeSchema = z.strictObject({ access: endpointAccessSchema });

/**
 * Whether an endpoint is private to somebody else.
 *
 * @param personId UUID of who asks, or whose token is shown; null without accounts.
 */
export const isPrivateToOther = (
  endpoint: { readonly access?: EndpointAccess; readonly ownerId?: string | null },
  personId: string | null,
): boolean => endpoint.access === "private" && (endpoint.ownerId ?? null) !== personId;
