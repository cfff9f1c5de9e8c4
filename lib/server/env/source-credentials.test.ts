import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sourceSecrets, sources } from "./fragments";
import { parseEnv } from "./lazy-env";
import { eachOpens } from "./source-credentials";

const schema = z.object({ ...sources, ...sourceSecrets }).superRefine(eachOpens);
const lab = { kind: "s3", name: "lab", endpoint: "https://minio.lab:9000", buckets: ["models"] };
const forge = { kind: "https", name: "forge", host: "git.lab:443" };
const keys = { accessKey: "labkey", secretKey: "hunter2secret" };
const parse = (connections: unknown, credentials: unknown) =>
  parseEnv(schema, {
    SOURCE_CONNECTIONS: typeof connections === "string" ? connections : JSON.stringify(connections),
    SOURCE_CREDENTIALS: typeof credentials === "string" ? credentials : JSON.stringify(credentials),
  });

describe("connections of sources", () => {
  it("are none unless they are given", () => {
    expect(parseEnv(schema, {})).toMatchObject({ SOURCE_CONNECTIONS: [], SOURCE_CREDENTIALS: {} });
  });

  it("are stores with keys, and hosts with a token or a login", () => {
    const { SOURCE_CONNECTIONS } = parse([lab, forge], { lab: keys, forge: { token: "abcdef" } });
    expect(SOURCE_CONNECTIONS).toEqual([{ ...lab, region: "us-east-1" }, forge]);
    expect(() => parse([forge], { forge: { user: "ana", password: "päss:word" } })).not.toThrow();
  });

  it.each([
    ["text that is no JSON", "hunter2secret", {}, /SOURCE_CONNECTIONS: is no JSON/],
    ["credentials that are no JSON", [], "hunter2secret", /SOURCE_CREDENTIALS: is no JSON/],
    ["a store without keys", [lab], {}, /SOURCE_CREDENTIALS.lab/],
    ["a store with a token", [lab], { lab: { token: "hunter2secret" } }, /SOURCE_CREDENTIALS.lab/],
    ["a host with keys", [forge], { forge: keys }, /SOURCE_CREDENTIALS.forge/],
    ["a credential of nothing", [], { lab: keys }, /SOURCE_CREDENTIALS.lab: is no connection/],
    ["a token over two lines", [forge], { forge: { token: "hunter2secret\nx" } }, /SOURCE_CRED/],
    [
      "a login inside an endpoint",
      [{ ...lab, endpoint: "https://a:hunter2secret@minio.lab" }],
      { lab: keys },
      /SOURCE_CONNECTIONS.0.endpoint: only scheme, host and port/,
    ],
    [
      "one bucket of two stores",
      [lab, { ...lab, name: "other" }],
      { lab: keys, other: keys },
      /bucket models is given twice/,
    ],
    ["a host without its port", [{ ...forge, host: "git.lab" }], { forge: {} }, /0.host/],
  ])("%s is refused by name, and no value is shown", (_, connections, credentials, words) => {
    const parsing = () => parse(connections, credentials);
    expect(parsing).toThrow(words);
    expect(parsing).not.toThrow(/hunter2/);
  });
});
