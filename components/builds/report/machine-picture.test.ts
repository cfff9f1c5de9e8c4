import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { MachineDrawing } from "@/lib/common/contract";
import { inEnglish } from "@/tests/support/in-language";
import { MachinePicture } from "./machine-picture";

const processor = (number: number, from: number[] | undefined) => ({
  number,
  inputs: from?.length ?? 300,
  instructions: 11,
  ...(from ? { from } : {}),
});
const machine = (from: number[] | undefined): MachineDrawing => ({
  type: "fps16f8",
  inputs: 2,
  layers: [
    {
      name: "hidden",
      relu: true,
      processors: [processor(0, from), processor(1, from), processor(3, from)],
    },
    { name: "scores", relu: false, processors: [processor(2, from)] },
  ],
});
const draw = (drawing: MachineDrawing) =>
  renderToStaticMarkup(inEnglish(createElement(MachinePicture, { machine: drawing })));

describe("the picture of a machine", () => {
  it("draws every processor and link, and tells the same in a table", () => {
    const html = draw(machine([0, 1]));
    expect(html.match(/<circle/g)).toHaveLength(4);
    expect(html.match(/<line /g)).toHaveLength(8);
    expect(html).toContain("p0 to p1, p3");
    expect(html).toContain("4 processors compute in fps16f8");
    // Colours of the theme alone, so that it reads in light and dark.
    expect(html).not.toMatch(/(fill|stroke)="#/);
  });

  it("tells what each layer does besides adding up", () => {
    const { layers, ...rest } = machine([0, 1]);
    const probabilities = { name: "softmax", relu: false, softmaxTerms: 5 };
    const last = { ...probabilities, processors: [processor(4, [0]), processor(5, [0])] };
    const html = draw({ ...rest, layers: [...layers, last] });
    expect(html).toContain("<td>ReLU</td>");
    expect(html).toContain("<td>softmax by 5 terms</td>");
    expect(html).toContain("p5, softmax: 1 links in, 11 instructions, softmax by 5 terms");
  });

  it("says so where there are too many links to draw, and keeps the table", () => {
    const html = draw(machine(undefined));
    expect(html).not.toContain("<svg");
    expect(html).toContain("too many links to draw");
    expect(html).toContain("<td>hidden</td>");
  });
});
