interface Secretive {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
  readonly S3_SECRET_KEY?: string | undefined;
  readonly S3_ACCESS_KEY?: string | undefined;
  readonly BOND_BUILD_STORE_KEY?: string | undefined;
  readonly BOND_BUILD_STORE_SECRET?: string | undefined;
}

/** What this process knows and no log may show: passwords of the stores. */
export function secretsOf(env: Secretive): string[] {
  const passwords = [env.DATABASE_URL, env.REDIS_URL].flatMap((url) => {
    const { password } = new URL(url);
    return [password, decodeURIComponent(password)];
  });
  const { S3_SECRET_KEY, S3_ACCESS_KEY, BOND_BUILD_STORE_KEY, BOND_BUILD_STORE_SECRET } = env;
  const keys = [S3_SECRET_KEY, S3_ACCESS_KEY, BOND_BUILD_STORE_KEY, BOND_BUILD_STORE_SECRET];
  const all = [...passwords, ...keys];
  return [...new Set(all.filter((secret): secret is string => Boolean(secret)))];
}
