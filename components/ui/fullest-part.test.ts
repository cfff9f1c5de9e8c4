import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { inEnglish } from "@/tests/support/in-language";
import { FullestPart } from "./fullest-part";

const drawn = (...resources: readonly [id: string, name: string, used: number, of: number][]) =>
  renderToStaticMarkup(
    inEnglish(
      createElement(FullestPart, {
        resources: resources.map(([id, name, used, available]) => ({ id, name, used, available })),
      }),
    ),
  ).replaceAll(/<[^>]*>/g, "");

describe("the part of a chip that is filled most", () => {
  it("is told by its share, whatever comes first", () => {
    const cells = ["lut", "Logic cells", 1320, 5280] as const;
    expect(drawn([...cells], ["bram", "Block RAM", 15, 30])).toBe("50.0\u2009% of block RAM");
  });

  it("is called as its report calls it where we have no name for it", () => {
    expect(drawn(["uram", "Ultra RAM", 1, 4])).toBe("25.0\u2009% of ultra ram");
  });

  it("is none of a resource that the chip has none of", () => {
    expect(drawn(["dsp", "Multipliers", 0, 0])).toBe("–");
  });
});
