import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { inEnglish } from "@/tests/support/in-language";
import { ResourceBar } from "./resource-bar";

const drawn = (used: number, available: number) =>
  renderToStaticMarkup(inEnglish(createElement(ResourceBar, { name: "It", used, available })));

describe("a resource bar", () => {
  it.each([
    [1, 1, "all used", "text-muted"],
    [8, 8, "all used", "text-warn"],
    [25, 30, "nearly full", "text-warn"],
    [9, 8, "1 too many", "text-bad"],
    [2, 1, "1 too many", "text-bad"],
  ])("of %d used of %d says “%s”, in the tone of it", (used, available, words, tone) => {
    expect(drawn(used, available)).toContain(`<span class="${tone}">${words}</span>`);
  });

  it("warns of nothing where a few of a scarce resource are left or half is free", () => {
    expect(drawn(3, 4)).not.toMatch(/nearly|text-warn/);
    expect(drawn(15, 30)).not.toMatch(/nearly|text-warn/);
  });
});
