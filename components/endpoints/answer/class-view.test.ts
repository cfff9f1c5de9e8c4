import { describe, expect, it } from "vitest";
import { classView } from "./class-view";

const floats = (data: readonly number[], rows = 1) => [
  { name: "y", datatype: "FP32", shape: [rows, data.length / rows], data: [...data] },
];

describe("class bars", () => {
  it("draw probabilities as they are and mark the best", () => {
    const view = classView(floats([0.1, 0.7, 0.2]), ["a", "b", "c"], 0);
    expect(view?.winner).toBe("b");
    expect(view?.bars.map(({ share }) => share)).toEqual([0.1, 0.7, 0.2]);
  });

  it("draw scores between the lowest and the highest", () => {
    const view = classView(floats([-4, 0, 4]), undefined, 0);
    expect(view?.bars.map(({ share }) => share)).toEqual([0, 0.5, 1]);
    expect(view?.bars[2]).toMatchObject({ label: "2", wins: true });
  });

  it("show one row of a batch", () => {
    const view = classView(floats([1, 0, 0, 1], 2), ["a", "b"], 1);
    expect(view).toMatchObject({ winner: "b", rows: 2 });
  });

  it("name the index that a model chose by itself", () => {
    const output = [{ name: "class", datatype: "INT64", shape: [1], data: [1] }];
    expect(classView(output, ["a", "b"], 0)?.winner).toBe("b");
  });

  it("say in words what is no number, and name no winner among such", () => {
    const data = ["NaN", 0.5, "Infinity", "-Infinity"];
    const view = classView([{ name: "y", datatype: "FP32", shape: [1, 4], data }], undefined, 0);
    expect(view?.winner).toBeNull();
    expect(view?.bars.map(({ text, word, share }) => [word ?? text, share])).toEqual([
      ["notANumber", 0],
      ["0.5000", 0],
      ["infinite", 1],
      ["minusInfinite", 0],
    ]);
    expect(view?.bars.some(({ wins }) => wins)).toBe(false);
  });

  it("let an infinite score win over finite ones", () => {
    const data = [-3, "Infinity", "-Infinity", 3];
    const view = classView([{ name: "y", datatype: "FP32", shape: [1, 4], data }], undefined, 0);
    expect(view?.winner).toBe("1");
    expect(view?.bars.map(({ share }) => share)).toEqual([0, 1, 0, 1]);
  });

  it("are not drawn for a single number", () => {
    expect(classView(floats([3.5]), undefined, 0)).toBeNull();
  });
});
