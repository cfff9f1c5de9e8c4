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

/** Who may ask an endpoint: everybody who reaches the gateway, or who shows a token of its project. */
export const endpointAccessSchema = z.enum(["all", "project"]);
/** Who may ask an endpoint. */
export type EndpointAccess = z.infer<typeof endpointAccessSchema>;
/** Another choice of who may ask an endpoint. */
export const accessChangeSchema = z.strictObject({ access: endpointAccessSchema });
