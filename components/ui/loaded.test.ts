import { QueryClient, QueryObserver, type UseQueryResult } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/common/errors";
import { inEnglish } from "@/tests/support/in-language";
import { Loaded } from "./loaded";

interface Page {
  readonly items: readonly string[];
}

/** The result of a query after its function was called once; with none, before that. */
async function resultOf(queryFn?: () => Promise<Page>): Promise<UseQueryResult<Page>> {
  const options = {
    queryKey: ["page"],
    queryFn: queryFn ?? (() => Promise.reject()),
    retry: false,
  };
  const observer = new QueryObserver(new QueryClient(), { ...options, enabled: false });
  if (queryFn) await observer.refetch();
  return observer.getCurrentResult() as UseQueryResult<Page>;
}

const draw = (query: UseQueryResult<Page>, more: { empty?: ReactNode } = {}) => {
  const drawn = Loaded<Page>({
    query,
    loading: "loading",
    failure: "The list cannot be read.",
    around: (note) => createElement("section", null, note),
    children: ({ items }) => `items: ${items.join(" ")}`,
    ...more,
  });
  return renderToStaticMarkup(inEnglish(drawn));
};

describe("what stands in the place of a query's answer", () => {
  it("is the loading state before the answer", async () => {
    expect(draw(await resultOf())).toBe("loading");
  });

  it("is the answer", async () => {
    expect(draw(await resultOf(async () => ({ items: ["a", "b"] })))).toBe("items: a b");
  });

  it("is why it cannot be read, with what stands around it and a way to try again", async () => {
    const error = new AppError("unavailable", "The portal is away.", {
      reason: "STORE_UNAVAILABLE",
    });
    const text = draw(await resultOf(() => Promise.reject(error)));
    expect(text).toMatch(/^<section><div role="alert"/);
    expect(text).toContain("The list cannot be read.");
    expect(text).toContain("The portal is away.");
    expect(text).toContain("Try again");
    expect(text).toContain('href="/errors/STORE_UNAVAILABLE"');
  });

  it("offers no second try where the same would only come back", async () => {
    const error = new AppError("invalid_argument", "No.", { reason: "URL_NOT_ALLOWED" });
    const text = draw(await resultOf(() => Promise.reject(error)));
    expect(text).toContain("No.");
    expect(text).not.toContain("Try again");
  });

  it("is the empty state, if there is one, for a list without items", async () => {
    const none = await resultOf(async () => ({ items: [] }));
    expect(draw(none, { empty: "none yet" })).toBe("none yet");
    expect(draw(none, { empty: null })).toBe("");
    expect(draw(none)).toBe("items: ");
    const one = await resultOf(async () => ({ items: ["a"] }));
    expect(draw(one, { empty: "none yet" })).toBe("items: a");
  });
});
