import { expect, it } from "vitest";
import { secretsOf } from "./secrets";

it("knows the passwords of addresses, also as they are spelled there, keys and tokens", () => {
  const secrets = secretsOf({
    DATABASE_URL: "postgresql://user:pass%2Fword@127.0.0.1/db",
    REDIS_URL: "redis://127.0.0.1:6379/0",
    S3_SECRET_KEY: "of the store",
    BOARDWALK_OWNER_TOKEN: undefined,
    OIDC_CLIENT_SECRET: "between services",
  });
  expect(secrets).toEqual(["pass%2Fword", "pass/word", "of the store", "between services"]);
});
