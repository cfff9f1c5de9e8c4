import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { getAll } from "./client";

afterEach(() => vi.unstubAllGlobals());

it("reads a list to its end, page after page", async () => {
  const asked: string[] = [];
  const pages: Record<string, object> = {
    "/list?limit=200": { items: [1, 2], nextCursor: "two" },
    "/list?limit=200&cursor=two": { items: [3], nextCursor: null },
  };
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return Response.json(pages[url]);
  });
  expect(await getAll("/list", z.number())).toEqual({ items: [1, 2, 3] });
  expect(asked).toEqual(Object.keys(pages));
});
