import { beforeAll, describe, expect, it } from "vitest";
import type { Lease, LeaseWait } from "@/lib/common/contract";
import { call, openApi } from "../support/api";
import { addBoardServer } from "../support/domain";
import { bring, joinFirst, type SignedIn } from "../support/people";

// Boards for oneself, as scripts ask for them.

openApi({ hasAccounts: true });

let owner: SignedIn;
let builder: SignedIn;
let viewer: SignedIn;
let stranger: SignedIn;

beforeAll(async () => {
  owner = await joinFirst("ada");
  builder = await bring(owner, "ben", "builder");
  viewer = await bring(owner, "vera", "viewer");
  const made = await call("POST", "/projects", { json: { name: "astro" }, ...owner });
  const { id } = (await made.json()) as { id: string };
  const { projects } = (await (await call("GET", "/me", owner)).json()) as {
    projects: { id: string; name: string }[];
  };
  await call("POST", "/me/project", { json: { project: id }, ...owner });
  stranger = await bring(owner, "stan", "builder");
  const back = projects.find(({ name }) => name === "default")?.id;
  await call("POST", "/me/project", { json: { project: back }, ...owner });
  await addBoardServer({ simulatedCapacity: 1 });
});

const board = { model: "icebreaker", kind: "simulated" };
async function ask<T>(who: SignedIn, path: string, json: object): Promise<[number, T]> {
  const answer = await call("POST", path, { json, ...who });
  return [answer.status, (await answer.json()) as T];
}
interface Refused {
  readonly error: { readonly reason: string; readonly message: string; readonly hint?: string };
}

describe("leases in the API", () => {
  let lease: Lease;

  it("are for builders; a viewer sees them, and programs what is allowed", async () => {
    const [refused] = await ask(viewer, "/leases", { board });
    expect(refused).toBe(403);
    const [made, body] = await ask<Lease>(builder, "/leases", { board, purpose: "pixels" });
    expect(made).toBe(201);
    lease = body;
    const seen = (await (await call("GET", "/leases", viewer)).json()) as {
      items: Lease[];
      limits: object;
    };
    expect(seen.items).toMatchObject([{ id: lease.id, person: "ben", isMine: false }]);
    expect(seen.limits).toEqual({ minutes: 60, mostMinutes: 480, aheadDays: 30 });
  });

  it("name nobody to another project, wherever a board is shown, and are not there for it", async () => {
    const paths = ["/leases", "/leases/waiting", "/boards", `/boards/${lease.boardId}`];
    for (const path of [...paths, `/boards/${lease.boardId}/history`]) {
      const text = await (await call("GET", path, stranger)).text();
      expect(text, path).not.toContain("ben");
      expect(text, path).not.toContain("pixels");
      expect(text, path).not.toContain(lease.id ?? "");
    }
    const artifactDigest = `sha256:${"0".repeat(64)}`;
    for (const [action, json] of [
      ["extend", {}],
      ["release", {}],
      ["load", { artifactDigest }],
      ["unload", {}],
    ] as const) {
      const answers = [lease.id ?? "", `${lease.id?.slice(0, -4)}0000`].map(async (id) => {
        const [status, body] = await ask<Refused>(stranger, `/leases/${id}/${action}`, json);
        return [status, body.error.message.replaceAll(id, "ID")];
      });
      const [foreign, absent] = await Promise.all(answers);
      expect(foreign).toEqual(absent);
      expect(foreign?.[0]).toBe(404);
    }
    const [status, { error }] = await ask<Refused>(stranger, "/leases", {
      board: { id: lease.boardId },
    });
    expect([status, error.reason]).toEqual([409, "BOARD_TAKEN"]);
    expect(error.message).toMatch(/^Another project has iCEBreaker sim-\w+ until .* UTC\.$/);
  });

  it("refuse what makes no sense with the field that is wrong", async () => {
    const wrong: readonly (readonly [json: object, field: string])[] = [
      [{ board, minutes: 0 }, "minutes"],
      [{ board, minutes: 1e9 }, "minutes"],
      [{ board, minutes: 481 }, "minutes"],
      [{ board: { id: lease.boardId }, startsAt: "2001-01-01T00:00:00Z" }, "startsAt"],
      [{ board: { id: lease.boardId }, startsAt: "tomorrow" }, "startsAt"],
      [{ board, startsAt: new Date(Date.now() + 3_600_000).toISOString() }, "board"],
      [{ board, purpose: "x".repeat(201) }, "purpose"],
    ];
    for (const [json, field] of wrong) {
      const [status, { error }] = await ask<{ error: { field?: string } }>(
        builder,
        "/leases",
        json,
      );
      expect([json, status, error.field]).toEqual([json, 422, field]);
    }
    for (const path of ["/leases?from=yesterday", "/leases?board=brd_x", "/leases?what=1"])
      expect((await call("GET", path, builder)).status, path).toBeGreaterThanOrEqual(400);
  });

  it("are waited for, extended until somebody waits, and handed back once", async () => {
    const longer = await ask<Lease>(builder, `/leases/${lease.id}/extend`, { minutes: 5 });
    expect(longer).toMatchObject([200, { state: "active" }]);
    const waiting = await ask<LeaseWait>(stranger, "/leases/waiting", {
      board: { id: lease.boardId },
    });
    expect(waiting).toMatchObject([201, { place: 1, isMine: true }]);
    const late = await ask(builder, `/leases/${lease.id}/extend`, { minutes: 5 });
    expect(late).toMatchObject([409, { error: { reason: "BOARD_TAKEN" } }]);
    const left = await call("DELETE", `/leases/waiting/${waiting[1].id}`, stranger);
    expect(left.status).toBe(204);
    // An admin of the project may end what others of it have.
    const ended = await ask<Lease>(owner, `/leases/${lease.id}/release`, {});
    expect(ended).toMatchObject([200, { state: "ended", isMine: false }]);
    const again = await ask(builder, `/leases/${lease.id}/release`, {});
    expect(again).toMatchObject([409, { error: { reason: "LEASE_OVER" } }]);
  });
});
