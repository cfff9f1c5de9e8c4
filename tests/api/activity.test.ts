import { describe, expect, it } from "vitest";
import type { ActivityItem } from "@/lib/common/contract";
import { call, openApi } from "../support/api";
import { iris } from "../support/domain";

openApi();

async function acts(): Promise<ActivityItem[]> {
  const answer = await call("GET", "/activity");
  expect(answer.status).toBe(200);
  return (await answer.json()).items;
}

describe("the activity", () => {
  it("tells what was done to an endpoint, and how the last of it is taken back", async () => {
    await call("POST", "/endpoints", { json: iris("kept") });
    await call("POST", "/endpoints/kept/pause", { json: {} });
    const [paused, created] = await acts();
    expect(created).toMatchObject({ kind: "endpoint.created", undo: null });
    expect(paused).toMatchObject({
      kind: "endpoint.paused",
      target: { id: "kept", isGone: false },
      undo: { path: "/endpoints/kept/resume", body: {} },
    });

    const { path = "", body } = paused?.undo ?? {};
    expect((await call("POST", path, { json: body })).status).toBe(202);
    const [resumed, before] = await acts();
    expect(resumed).toMatchObject({
      kind: "endpoint.resumed",
      undo: { path: "/endpoints/kept/pause" },
    });
    expect(before).toMatchObject({ kind: "endpoint.paused", undo: null });
  });

  it("offers no way back of what is gone", async () => {
    await call("POST", "/endpoints", { json: iris("gone") });
    await call("POST", "/endpoints/gone/pause", { json: {} });
    await call("DELETE", "/endpoints/gone");
    const ofIt = (await acts()).filter(({ target }) => target.id === "gone");
    expect(ofIt.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["endpoint.deleted", "endpoint.paused", "endpoint.created"]),
    );
    expect(ofIt.every(({ undo, target }) => undo === null && target.isGone)).toBe(true);
  });
});
