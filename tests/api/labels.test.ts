import { beforeAll, describe, expect, it } from "vitest";
import { cancelBuild, retryBuild } from "@/domain/builds";
import type { Build, BuildListCounts, ExportedBuild } from "@/lib/common/contract";
import { call, openApi } from "../support/api";
import { iris, scope } from "../support/domain";

// Words that people give builds: kept as they were given, found by them, refused where they are no words.

openApi();

const ids: string[] = [];
const hostile = `<img src=x onerror=alert(1)> "it's" \\{}%_`;

const read = async <T>(target: string): Promise<T> => {
  const answer = await call("GET", target);
  expect([target, answer.status]).toEqual([target, 200]);
  return (await answer.json()) as T;
};
const setLabels = (id: string, labels: readonly string[]) =>
  call("POST", `/builds/${id}/labels`, { json: { labels } });
const found = async (query: string) =>
  (await read<{ items: Build[] }>(`/builds?${query}`)).items.map(({ id }) => id);

beforeAll(async () => {
  for (const name of ["one", "two", "three"]) {
    const answer = await call("POST", "/endpoints", { json: iris(name) });
    ids.push(((await answer.json()) as { buildId: string }).buildId);
  }
  await setLabels(ids[0] ?? "", ["nightly", hostile]);
  await setLabels(ids[1] ?? "", ["nightly", "paper", "nightly"]);
});

describe("labels of a build", () => {
  it("are kept in their order, once each, and replaced as a whole", async () => {
    const [, two = "", three = ""] = ids;
    expect((await read<Build>(`/builds/${two}`)).labels).toEqual(["nightly", "paper"]);
    expect(await (await setLabels(three, ["a", "b"])).json()).toMatchObject({ labels: ["a", "b"] });
    expect(await (await setLabels(three, [])).json()).toMatchObject({ labels: [] });
  });

  it("find their builds in lists, any of several, whatever they are made of", async () => {
    const [one = "", two = ""] = ids;
    expect(await found("label=nightly")).toEqual([two, one]);
    expect(await found("label=paper")).toEqual([two]);
    expect(await found(`label=paper&label=${encodeURIComponent(hostile)}`)).toEqual([two, one]);
    expect(await found(String(new URLSearchParams({ label: hostile })))).toEqual([one]);
    expect(await found("label=night")).toEqual([]);
    expect(await found("label=nightly&state=failed")).toEqual([]);
    expect(await found("label=nightly&sort=name")).toEqual([one, two]);
  });

  it("are offered with the counts, which keep to them", async () => {
    const counts = await read<BuildListCounts>("/counts/builds?label=paper");
    expect(counts.labels).toEqual([hostile, "nightly", "paper"]);
    expect(counts.states).toEqual([{ state: "queued", count: 1 }]);
  });

  it("stand in exports", async () => {
    const rows = await read<ExportedBuild[]>("/builds?format=json&label=paper");
    expect(rows.map(({ labels }) => labels)).toEqual(["nightly, paper"]);
    const [three = ""] = ids.slice(2);
    await setLabels(three, ["=1+1"]);
    const csv = await (await call("GET", "/builds?format=csv&label=%3D1%2B1")).text();
    expect(csv).toMatch(/^id,.*,labels,/);
    expect(csv).toContain(`,'=1+1,`);
  });

  it("stay with a build that has ended, can be changed then, and go over to the one that repeats it", async () => {
    const [, , three = ""] = ids;
    await setLabels(three, ["kept"]);
    await cancelBuild(scope, three);
    const again = await retryBuild(scope, three);
    expect((await setLabels(three, ["old"])).status).toBe(200);
    expect((await read<Build>(`/builds/${three}`)).labels).toEqual(["old"]);
    expect((await read<Build>(`/builds/${again}`)).labels).toEqual(["kept"]);
  });

  it.each([
    [["a".repeat(64)], /at most 63 characters, this one has 64/],
    [Array.from({ length: 11 }, (_, n) => `${n}`), /at most 10 labels, these are 11/],
    [["a\u0007b"], /no control characters/],
    [["fine", " "], /at least one character/],
    [["a,b"], /no comma/],
  ])("%j are refused with the reason, and nothing is changed", async (labels, message) => {
    const [one = ""] = ids;
    const answer = await setLabels(one, labels);
    const { error } = (await answer.json()) as { error: { reason: string; message: string } };
    expect([answer.status, error.reason]).toEqual([422, "VALIDATION"]);
    expect(error.message).toMatch(message);
    expect((await read<Build>(`/builds/${one}`)).labels).toEqual(["nightly", hostile]);
  });

  it("of a build that is not there are not found", async () => {
    expect((await setLabels("bld_01a21842-6939-7617-8433-f7e3ad06f893", ["a"])).status).toBe(404);
  });
});
