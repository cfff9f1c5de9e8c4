import { z } from "zod";
import type { SourceConnection } from "@/lib/common/contract";

/** Visible ASCII: it goes into a header. */
const visible = z.string().regex(/^[\x21-\x7e]+$/);

const storeKeysSchema = z.strictObject({ accessKey: visible, secretKey: visible });
const tokenSchema = z.strictObject({ token: visible });
const loginSchema = z.strictObject({
  // RFC 7617: the first colon ends the name.
  user: z.string().regex(/^[^:\p{Cc}]+$/u),
  password: z.string().regex(/^\P{Cc}+$/u),
});

const sourceCredentialSchema = z.union([storeKeysSchema, tokenSchema, loginSchema]);
/** What opens a connection: keys of a store, a bearer token, or a login. */
export type SourceCredential = z.infer<typeof sourceCredentialSchema>;

/** What opens each connection, by its name. */
export const sourceCredentialsSchema = z.record(z.string(), sourceCredentialSchema);

/** Each connection has what opens it, and nothing opens what is none: a typing error shows at the start. */
export function eachOpens(
  {
    SOURCE_CONNECTIONS: connections,
    SOURCE_CREDENTIALS: credentials,
  }: {
    readonly SOURCE_CONNECTIONS: readonly SourceConnection[];
    readonly SOURCE_CREDENTIALS: Readonly<Record<string, SourceCredential>>;
  },
  context: z.RefinementCtx,
): void {
  const complain = (name: string, message: string) =>
    context.addIssue({ code: "custom", path: ["SOURCE_CREDENTIALS", name], message });
  for (const { name, kind } of connections) {
    const credential = credentials[name];
    const isOfStore = credential !== undefined && "secretKey" in credential;
    if (kind === "s3" && !isOfStore) complain(name, "has to be an accessKey and a secretKey");
    if (kind === "https" && (!credential || isOfStore)) {
      complain(name, "has to be a token, or a user and a password");
    }
  }
  const known = new Set(connections.map(({ name }) => name));
  for (const name of Object.keys(credentials)) {
    if (!known.has(name)) complain(name, "is no connection of SOURCE_CONNECTIONS");
  }
}
