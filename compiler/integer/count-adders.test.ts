import { describe, expect, it } from "vitest";
import { countAdders } from "./count-adders";

const layer = (inputSize: number, weights: readonly number[], hasTable = false) => ({
  inputSize,
  outputSize: weights.length / inputSize,
  weights,
  hasTable,
});

describe("adders that are counted before they are made", () => {
  it.each([
    { weights: [4], why: "a shift and the constant", digits: 1, levels: 1 },
    { weights: [7, 1], why: "8 − 1 and 1, and the constant", digits: 3, levels: 2 },
    { weights: [1, 1, 1, 1, 1, 1], why: "six terms and the constant", digits: 6, levels: 3 },
    { weights: [0, 0], why: "nothing to sum", digits: 0, levels: 0 },
  ])("are those of $why", ({ weights, digits, levels }) => {
    expect(countAdders([layer(weights.length, weights)])).toEqual([{ digits, levels }]);
  });

  it("count what clamps hidden values, and a table behind them", () => {
    const of = (hasTable: boolean) =>
      countAdders([layer(2, [1, 1, 1, -1], hasTable), layer(2, [1, 1])]).map(
        ({ levels }) => levels,
      );
    expect(of(false)).toEqual([3, 2]);
    expect(of(true)).toEqual([4, 2]);
  });

  it("wait for the deepest row of a layer only where it is read", () => {
    const wide = [5, 5, 5, 5, 5, 5, 5, 5];
    const narrow = [1, 0, 0, 0, 0, 0, 0, 0];
    const read = (weights: readonly number[]) =>
      countAdders([layer(8, [...wide, ...narrow]), layer(2, weights)]).reduce(
        (sum, { levels }) => sum + levels,
        0,
      );
    expect(read([0, 1])).toBeLessThan(read([1, 0]));
  });
});
