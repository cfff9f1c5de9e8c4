import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { modelCardSchema } from "@/lib/common/contract";
import { knownRows } from "./known-rows";

const read = (sample: string, file: string) =>
  readFileSync(`public/samples/${sample}/${file}`, "utf8");

describe("the rows whose answer is known", () => {
  it.each(Object.values(knownRows))("$sample: is its first test row", ({ sample, row, label }) => {
    const [, first = ""] = read(sample, "test.csv").split(/\r?\n/);
    expect([...row, label]).toEqual(first.split(",").map(Number));
    const { classes = [] } = modelCardSchema.parse(JSON.parse(read(sample, "card.json")));
    expect(classes.length).toBeGreaterThan(label);
  });

  it.each(Object.values(knownRows))("$sample: the float model gives its label", (known) => {
    const { inputs, outputs } = JSON.parse(read(known.sample, "reference.json"));
    const { data } = inputs[known.input];
    expect(data.slice(0, known.row.length)).toEqual(known.row);
    const [{ shape, data: answers }] = Object.values(outputs) as [
      { shape: [number, number]; data: number[] },
    ];
    const scores = answers.slice(0, shape[1]);
    expect(scores.indexOf(Math.max(...scores))).toBe(known.label);
  });
});
