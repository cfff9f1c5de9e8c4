import { beforeEach, describe, expect, it } from "vitest";
import { sweepTable } from "@/domain/reconcile";
import type { Recipe } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { call, openApi } from "../support/api";

// Recipes: choices of a deploy that are kept under a name, in a real database.

openApi();

beforeEach(async () => {
  await database().recipe.deleteMany();
});

const content = {
  engine: "boardwalk",
  options: { precision: "smallest", lanes: 2 },
  preset: "smallest",
  serving: { replicas: 2 },
  features: [{ name: "sepal length", unit: "cm", min: 4, max: 8 }, {}],
};
const post = async (target: string, json?: unknown) => {
  const response = await call("POST", target, json === undefined ? {} : { json });
  return { status: response.status, body: await response.json() };
};
const make = async (name: string): Promise<Recipe> =>
  (await post("/recipes", { name, content })).body;
const list = async (): Promise<Recipe[]> =>
  (await (await call("GET", "/recipes")).json()).items as Recipe[];
const remove = async (id: string) => (await call("DELETE", `/recipes/${id}`)).status;

describe("recipes", () => {
  it("keep all that was given, and are listed by name", async () => {
    await make("small jets");
    const made = await make(" Flowers ");
    expect(made).toMatchObject({ name: "Flowers", content });
    expect(made.id).toMatch(/^rec_/);
    expect((await list()).map(({ name }) => name)).toEqual(["Flowers", "small jets"]);
    expect(await (await call("GET", `/recipes/${made.id}`)).json()).toEqual(made);
  });

  it("take another name or other choices, and leave the rest", async () => {
    const { id } = await make("a");
    expect((await post(`/recipes/${id}`, { name: "b" })).body).toMatchObject({
      id,
      name: "b",
      content,
    });
    const other = { engine: "onnx" };
    const { body } = await post(`/recipes/${id}`, { content: other });
    expect(body).toMatchObject({ id, name: "b", content: other });
  });

  it("have a name each", async () => {
    const { id } = await make("a");
    await make("b");
    for (const answer of [
      await post("/recipes", { name: "a", content }),
      await post(`/recipes/${id}`, { name: "b" }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ reason: "NAME_TAKEN", field: "name" });
    }
    expect((await post(`/recipes/${id}`, { name: "a" })).status).toBe(200);
  });

  it("come back after they were deleted, as they were, unless their name is another's by then", async () => {
    const before = await make("a");
    expect(await remove(before.id)).toBe(204);
    expect(await list()).toEqual([]);
    expect(await remove(before.id)).toBe(404);
    expect((await post(`/recipes/${before.id}/restore`)).body).toEqual(before);
    expect(await list()).toEqual([before]);
    await remove(before.id);
    await make("a");
    expect(await post(`/recipes/${before.id}/restore`)).toMatchObject({
      status: 409,
      body: { error: { reason: "NAME_TAKEN" } },
    });
  });

  it("are forgotten a day after they were deleted, at the next sweep", async () => {
    const { id } = await make("a");
    await remove(id);
    await database().recipe.updateMany({ data: { deletedAt: new Date(Date.now() - 25 * 3.6e6) } });
    await sweepTable("recipe");
    expect((await post(`/recipes/${id}/restore`)).status).toBe(404);
  });

  it.each([
    { why: "no name", body: { name: " ", content }, field: "name" },
    { why: "a key that no deploy has", body: { name: "a", content: { engin: "x" } } },
    {
      why: "a range the wrong way round",
      body: { name: "a", content: { features: [{ min: 2, max: 1 }] } },
      field: "content.features.0.max",
    },
    { why: "nothing to hold", body: { name: "a" }, field: "content" },
  ])("are refused with $why", async ({ body, field }) => {
    const answer = await post("/recipes", body);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ reason: "VALIDATION", ...(field ? { field } : {}) });
  });

  it.each(["rec_nope", "bld_0199a000-0000-7000-8000-000000000000", "x"])(
    "are not found by %s",
    async (id) => {
      expect((await call("GET", `/recipes/${id}`)).status).toBe(404);
      expect(await remove(id)).toBe(404);
      expect((await post(`/recipes/${id}`, { name: "a" })).status).toBe(404);
    },
  );
});
