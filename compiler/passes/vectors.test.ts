import { describe, expect, it } from "vitest";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { verificationVectors } from "./vectors";

const graph = randomGraph([3, 6, 2], { seed: 9, relu: true });
const texts = (rows: readonly Int8Array[]) => rows.map((row) => row.join(","));

describe("verification vectors", () => {
  it("hold the extremes, each input alone, 1,000 random rows and the user's own", () => {
    const own = Int8Array.of(11, 22, 33);
    const rows = texts(verificationVectors(graph, [own]));
    expect(rows).toEqual(
      expect.arrayContaining(["0,0,0", "-128,-128,-128", "127,127,127", "0,127,0", "0,0,-128"]),
    );
    expect(rows.at(-1)).toBe("11,22,33");
    expect(new Set(rows).size).toBeGreaterThan(1000);
  });

  it("are the same each time", () => {
    expect(texts(verificationVectors(graph))).toEqual(texts(verificationVectors(graph)));
  });

  it("stand on both sides of where first-layer values saturate", () => {
    const { nodes } = graph;
    const first = { ...graph, nodes: nodes.slice(0, 2) };
    const rows = verificationVectors(graph);
    const bounds = [0, 255];
    const crossings = rows.slice(1).filter((row, index) => {
      const before = rows[index] ?? row;
      const step = row.reduce((sum, value, i) => sum + Math.abs(value - (before[i] ?? 0)), 0);
      const [a, b] = [before, row].map((each) => runIntegerGraph(first, each).output);
      return (
        step === 1 && a?.some((value, i) => bounds.includes(value) !== bounds.includes(b?.[i] ?? 0))
      );
    });
    expect(crossings.length).toBeGreaterThan(3);
  });
});
