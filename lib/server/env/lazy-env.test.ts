import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseEnv } from "./lazy-env";

const schema = z.object({
  DATABASE_URL: z.url(),
  PORT: z.coerce.number().int().default(3000),
});

describe("the environment", () => {
  it.each(["", " "])("gives defaults, and takes %j as absent", (PORT) => {
    expect(parseEnv(schema, { DATABASE_URL: "postgresql://a/b", PORT })).toEqual({
      DATABASE_URL: "postgresql://a/b",
      PORT: 3000,
    });
  });

  it("names every variable at fault, and shows no value", () => {
    const parse = () => parseEnv(schema, { DATABASE_URL: "secret", PORT: "hunter2" });
    expect(parse).toThrow(/DATABASE_URL[\s\S]*PORT/);
    expect(parse).not.toThrow(/secret|hunter2/);
  });
});
