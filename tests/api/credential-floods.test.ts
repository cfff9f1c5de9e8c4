import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTokenText } from "@/lib/server/auth";
import { clientHeader } from "@/lib/server/http";
import { call, openApi } from "../support/api";
import { bring, joinFirst, type SignedIn } from "../support/people";

// Somebody shows tokens and sessions that nobody made, each once, from the address that people of the laboratory share.

openApi({ hasAccounts: true });

const shared = { [clientHeader]: "192.0.2.7" };
let owner: SignedIn;
let token: string;

beforeAll(async () => {
  owner = await joinFirst("ada");
  const made = await call("POST", "/tokens", { json: { name: "a", scopes: ["read"] }, ...owner });
  ({ token } = (await made.json()) as { token: string });
});

const show = (headers: Readonly<Record<string, string>>) =>
  call("GET", "/builds", { headers: { ...shared, ...headers } });
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const madeUp = {
  tokens: () => bearer(makeTokenText("api").text),
  sessions: () => ({ cookie: `bw-3000=${randomBytes(32).toString("base64url")}.sig` }),
};

describe.each(["tokens", "sessions"] as const)("a flood of made-up %s", (kind) => {
  it("is looked up in part, told when to come again, and touches nobody who was here", async () => {
    for (const good of [owner.headers, bearer(token)]) expect((await show(good)).status).toBe(200);
    const statuses = new Map<number, number>();
    const startMs = performance.now();
    for (let n = 0; n < 3000; n++) {
      const answer = await show(madeUp[kind]());
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 429) expect(answer.headers.get("retry-after")).toBe("1");
      if (n % 100 === 0)
        for (const good of [owner.headers, bearer(token)])
          expect((await show(good)).status).toBe(200);
    }
    const seconds = (performance.now() - startMs) / 1000;
    expect([...statuses.keys()].sort()).toEqual([401, 429]);
    expect(statuses.get(401)).toBeLessThanOrEqual(100 + 20 * seconds + 1);
    // Of another address nobody is slower for it.
    expect((await call("GET", "/builds", { headers: madeUp[kind]() })).status).toBe(401);
  });
});

it("somebody who comes in meanwhile is in with their second try", async () => {
  const ben = await bring(owner, "ben", "viewer");
  while ((await show(madeUp.sessions())).status !== 429);
  const tries = [(await show(ben.headers)).status, (await show(ben.headers)).status];
  expect(tries.at(-1)).toBe(200);
});
