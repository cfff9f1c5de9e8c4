import { describe, expect, it } from "vitest";
import { startPatternSearch } from "./pattern-search";

const any = { isExact: false };

describe("a search by regular expression", () => {
  it("tells which texts match, with or without the case of letters", async () => {
    const texts = ["Warning: net n12", "Info: net n7", "WARNING: net"];
    const search = await startPatternSearch("^warning: net( n\\d+)?$", any);
    expect(await search.placesIn(texts)).toEqual([0, 2]);
    expect(await search.placesIn(["nothing"])).toEqual([]);
    search.close();
    const exact = await startPatternSearch("^Warning", { isExact: true });
    expect(await exact.placesIn(texts)).toEqual([0]);
    exact.close();
  });

  it.each(["(", "[a", "*", "a{2,1}", "(?<=", "\\"])("refuses %s and says why", async (source) => {
    await expect(startPatternSearch(source, any)).rejects.toMatchObject({
      reason: "QUERY_INVALID",
      message: expect.stringMatching(/is not a regular expression: \S/),
    });
  });

  it("ends a pattern that steps back for ever, and leaves the process free meanwhile", async () => {
    const search = await startPatternSearch("^(a+)+$", { isExact: true, timeoutMs: 300 });
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    await expect(search.placesIn([`${"a".repeat(60)}!`])).rejects.toMatchObject({
      code: "deadline_exceeded",
      reason: "DEADLINE_EXCEEDED",
    });
    clearInterval(turning);
    search.close();
    expect(turns).toBeGreaterThan(5);
  });

  it("has more of them wait for one that ends", async () => {
    const two = await Promise.all([startPatternSearch("a", any), startPatternSearch("b", any)]);
    let isThere = false;
    const third = startPatternSearch("c", any).then((search) => {
      isThere = true;
      return search;
    });
    await two[0].placesIn(["a"]);
    expect(isThere).toBe(false);
    two[0].close();
    expect(await (await third).placesIn(["abc"])).toEqual([0]);
    two[1].close();
    (await third).close();
  });
});
