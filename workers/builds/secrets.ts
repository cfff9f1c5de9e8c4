import type { SourceCredential } from "@/lib/server/env";

interface Secretive {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
  readonly S3_SECRET_KEY?: string | undefined;
  readonly S3_ACCESS_KEY?: string | undefined;
  readonly BOND_BUILD_STORE_KEY?: string | undefined;
  readonly BOND_BUILD_STORE_SECRET?: string | undefined;
  readonly SOURCE_CREDENTIALS: Readonly<Record<string, SourceCredential>>;
}

/** What this process knows and no log may show: passwords of the stores, and what opens sources of models. */
export function secretsOf(env: Secretive): string[] {
  const passwords = [env.DATABASE_URL, env.REDIS_URL].flatMap((url) => {
    const { password } = new URL(url);
    return [password, decodeURIComponent(password)];
  });
  const { S3_SECRET_KEY, S3_ACCESS_KEY, BOND_BUILD_STORE_KEY, BOND_BUILD_STORE_SECRET } = env;
  const keys = [S3_SECRET_KEY, S3_ACCESS_KEY, BOND_BUILD_STORE_KEY, BOND_BUILD_STORE_SECRET];
  // Whose login it is, is no secret.
  const ofSources = Object.values(env.SOURCE_CREDENTIALS).flatMap((credential) =>
    "user" in credential ? [credential.password] : Object.values(credential),
  );
  const all = [...passwords, ...keys, ...ofSources];
  return [...new Set(all.filter((secret): secret is string => Boolean(secret)))];
}
