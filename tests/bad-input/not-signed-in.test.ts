import { type RequestListener, type Server, request as send } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { OriginGuard } from "@/lib/server/http";
import { createFront } from "@/portal/front";
import { freePort } from "@/scripts/lib/ports.mjs";

// Where people have accounts, the front leads whoever is not signed in to the page for it, by whatever path they ask.

const good = "bw-1=somebody";
const seen: string[] = [];
let front: Server;
let port = 0;

beforeAll(async () => {
  port = await freePort();
  const end =
    (where: string): RequestListener =>
    (request, response) => {
      seen.push(`${where} ${request.url}`);
      response.end(where);
    };
  front = createFront({
    guard: new OriginGuard({ known: [], opensReads: true }),
    owner: async ({ headers: { cookie } }) => {
      if (cookie === "broken") throw new Error("the database is away");
      if (cookie === "flood") throw fail("RATE_LIMITED", "too many");
      return cookie === good;
    },
    pages: end("page"),
    gateway: end("gateway"),
    maxConnections: 32,
    maxClientConnections: 32,
  });
  await new Promise<void>((resolve) => front.listen(port, "127.0.0.1", resolve));
});
afterAll(() => {
  front.closeAllConnections();
  front.close();
});

/** Asks by a path as it is, which `fetch` would tidy. */
async function ask(
  path: string,
  { method = "GET", cookie }: { method?: string; cookie?: string } = {},
): Promise<{ status: number; location: string | undefined }> {
  seen.length = 0;
  return await new Promise((resolve, reject) => {
    const headers = { host: `localhost:${port}`, ...(cookie === undefined ? {} : { cookie }) };
    send({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }),
      );
    })
      .on("error", reject)
      .end();
  });
}

describe("a page, for whoever is not signed in", () => {
  it.each([
    ["/", "/sign-in"],
    ["/builds?state=failed&_rsc=1x", "/sign-in?next=%2Fbuilds%3Fstate%3Dfailed"],
    ["/sign-in/../builds", "/sign-in?next=%2Fbuilds"],
    ["/invitation/%2e%2e/settings/people", "/sign-in?next=%2Fsettings%2Fpeople"],
    ["/_next/../endpoints", "/sign-in?next=%2Fendpoints"],
    ["/api/../builds", "/sign-in?next=%2Fbuilds"],
    ["//evil.test/x", "/sign-in?next=%2Fevil.test%2Fx"],
    ["/sign-inside", "/sign-in?next=%2Fsign-inside"],
    ["/apiary", "/sign-in?next=%2Fapiary"],
  ])("leads %s to where they sign in", async (path, location) => {
    for (const cookie of [undefined, "bw-1=somebody-else", `${good}x`]) {
      const answer = await ask(path, cookie === undefined ? {} : { cookie });
      expect(answer).toEqual({ status: 303, location });
      expect(seen).toEqual([]);
    }
    expect((await ask(path, { method: "HEAD" })).status).toBe(303);
  });

  it.each([
    "/sign-in?next=/builds",
    "/invitation",
    "/new-password",
    "/_next/static/a.js",
    "/icon.svg",
  ])("is given where it is one to come in by: %s", async (path) => {
    expect((await ask(path)).status).toBe(200);
    expect(seen).toEqual([`page ${path}`]);
  });

  it.each(["/api/v1/builds", "/api/v1/session", "/list_isvc"])(
    "is none at %s: what answers there asks itself who it is",
    async (path) => {
      await ask(path);
      expect(seen).toEqual([`page ${path}`]);
    },
  );

  it("is given to somebody who is signed in, and while nobody can say whether they are", async () => {
    for (const cookie of [good, "broken"]) {
      expect((await ask("/builds", { cookie })).status).toBe(200);
      expect(seen).toEqual(["page /builds"]);
    }
  });

  it("is not made where too many made-up sessions are shown", async () => {
    expect((await ask("/builds", { cookie: "flood" })).status).toBe(429);
    expect(seen).toEqual([]);
  });
});

describe("tensors", () => {
  it("go to the gateway, which judges whoever asks", async () => {
    await ask("/v2/models");
    expect(seen).toEqual(["gateway /v2/models"]);
  });
});
