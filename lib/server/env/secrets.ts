import { clientSecret } from "./client-secret";
import type { SourceCredential } from "./source-credentials";

/** Settings that hold a secret, whole or as the password of an address. */
type Secretive = Partial<
  Readonly<
    Record<
      | "DATABASE_URL"
      | "REDIS_URL"
      | "SMTP_URL"
      | "S3_SECRET_KEY"
      | "BOND_BUILD_STORE_SECRET"
      | "BOARDWALK_OWNER_TOKEN"
      | "OIDC_CLIENT_SECRET"
      | "OIDC_CLIENT_SECRET_FILE",
      string | undefined
    >
  >
> & { readonly SOURCE_CREDENTIALS?: Readonly<Record<string, SourceCredential>> };

/** What a process knows by its settings and nobody may read: passwords, also as their addresses spell them, keys, tokens. */
export function secretsOf(env: Secretive): string[] {
  const addresses = [env.DATABASE_URL, env.REDIS_URL, env.SMTP_URL];
  const passwords = addresses.flatMap((url) => {
    const password = url === undefined ? "" : new URL(url).password;
    return [password, decodeURIComponent(password)];
  });
  const whole = [
    env.S3_SECRET_KEY,
    env.BOND_BUILD_STORE_SECRET,
    env.BOARDWALK_OWNER_TOKEN,
    clientSecret(env),
  ];
  // Whose login it is, is no secret.
  const ofSources = Object.values(env.SOURCE_CREDENTIALS ?? {}).flatMap((credential) =>
    "user" in credential ? [credential.password] : Object.values(credential),
  );
  return [
    ...new Set([...passwords, ...whole, ...ofSources].filter((secret) => secret !== undefined)),
  ].filter((secret) => secret !== "");
}
