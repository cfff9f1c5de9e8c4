import { describe, expect, it } from "vitest";
import type { IntegerGraph } from "@/compiler";
import { getEngine, runReference, wordsOfRow } from "@/engines";
import type { ArtifactIo } from "@/lib/common/contract";
import { argmax, encodeRows, fromFloatWord, toFloatWord } from "@/lib/common/core-io";
import type { Rows } from "@/lib/common/rows";
import { recordedGraph } from "@/tests/support/bondmachine/recordings";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { scaledGraph, softmaxGraph } from "@/tests/support/compiler/softmax-graph";
import { answerRows, compareAnswers, inputTensors, rowsOfVectors } from "./agreement";
import { answersClasses, classReader, ownClasses, plainClassOf } from "./class-reader";

/** Two scores: x0 + x1 and x0 − x1, inputs in quarters, scores in sixteenths. */
const graph: IntegerGraph = {
  schemaVersion: 2,
  input: { name: "x", size: 2, width: 8, fraction: 2 },
  nodes: [
    {
      op: "dense",
      name: "layer",
      from: -1,
      inputSize: 2,
      outputSize: 2,
      weightWidth: 8,
      weights: [4, 4, 4, -4],
      bias: [0, 0],
      accumulatorWidth: 16,
    },
  ],
  output: { name: "y", size: 2, width: 16, fraction: 4 },
};
const io = (activation: "none" | "softmax" | "argmax"): ArtifactIo => ({
  inputs: [
    {
      name: "x",
      datatype: "FP32",
      shape: [-1, 2],
      size: 2,
      fixedPoint: { width: 8, fraction: 2, signed: true },
      standardise: { mean: [1, 0], deviation: [2, 1] },
    },
  ],
  outputs: [
    {
      name: "y",
      datatype: "FP32",
      shape: [-1, 2],
      size: 2,
      fixedPoint: { width: 16, fraction: 4, signed: true },
      activation,
    },
  ],
});
const rows: Rows = {
  count: 2,
  width: 2,
  values: Float32Array.of(3, 0.5, 1, -1),
  labels: Int32Array.of(0, 0),
  source: "test.csv",
};

const firstOf = (outputs: readonly Float64Array[]): number[] => [...(outputs[0] ?? [])];

describe("answerRows", () => {
  it("standardises, quantises, runs the integer graph and dequantises", () => {
    expect(firstOf(answerRows(graph, io("none"), rows))).toEqual([1.5, 0.5, -1, 1]);
  });

  it("does what comes after the core", () => {
    expect(firstOf(answerRows(graph, io("argmax"), rows))).toEqual([0, 1]);
    const [first = 0, second = 0] = firstOf(answerRows(graph, io("softmax"), rows));
    expect(first).toBeCloseTo(Math.E / (Math.E + 1));
    expect(first + second).toBeCloseTo(1);
  });
});

describe("several outputs", () => {
  const both: ArtifactIo = {
    ...io("none"),
    outputs: (["argmax", "none"] as const).flatMap((activation) =>
      io(activation).outputs.map((output) => ({
        ...output,
        name: activation,
        ...(activation === "argmax"
          ? { size: 1, scores: { first: 0, count: 2 } }
          : { size: 1, scores: { first: 1, count: 1 } }),
      })),
    ),
  };

  it("are answered each from its part of the scores", () => {
    expect(answerRows(graph, both, rows).map((values) => [...values])).toEqual([
      [0, 1],
      [0.5, 1],
    ]);
  });
});

describe("classes of an answer", () => {
  const plain = { activation: "none", size: 3 } as const;
  const labels = Int32Array.of(0, 2);

  it("are those of the only output wherever classes are known", () => {
    const known = { names: null, labels: null, outputs: 1 };
    expect(answersClasses(plain, known)).toBe(false);
    expect(answersClasses(plain, { ...known, labels })).toBe(true);
    expect(answersClasses(plain, { ...known, names: ["no", "yes"] })).toBe(true);
    expect(answersClasses({ ...plain, activation: "softmax" }, known)).toBe(true);
    expect(answersClasses({ ...plain, activated: "softmax" }, known)).toBe(true);
  });

  it("are those of one of several outputs if it has a value for each", () => {
    const known = { names: null, labels, outputs: 2 };
    expect(answersClasses(plain, known)).toBe(true);
    expect(answersClasses({ ...plain, size: 2 }, known)).toBe(false);
    expect(answersClasses(plain, { ...known, labels: null })).toBe(false);
    expect(answersClasses(plain, { ...known, names: ["no", "yes"] })).toBe(false);
  });

  it("have the model's own numbers where it says them", () => {
    const read = classReader({ activation: "softmax", size: 2 }, true, [7, 9]);
    expect(read?.([0.25, 0.75])).toBe(9);
  });
});

describe("rowsOfVectors", () => {
  it("makes reals that quantise to the vectors again", () => {
    const made = rowsOfVectors([Int8Array.of(4, 2), Int8Array.of(-8, 1)], io("none"));
    expect(made).toMatchObject({ count: 2, source: "synthetic input" });
    expect([...(made?.values ?? [])]).toEqual([3, 0.5, -3, 0.25]);
  });
});

describe("rows of words", () => {
  const planOf = (dataType: string) => {
    const iris = planRequest("iris-mlp", "ulx3s-85f", { card: null, options: { dataType } });
    const graph = recordedGraph("4-1-2-fps16f8");
    const { reference, core, ...plan } = getEngine("bondmachine").plan({
      ...iris,
      model: { ...iris.model, graph },
    });
    if (!reference || !core) throw new TypeError("a machine has a software model");
    return { ...plan, reference, core };
  };

  it.each(["fps16f8", "fps32f16", "float16", "float32"])(
    "of %s are as wide as the core takes them, and answered by the machine's own arithmetic",
    (dataType) => {
      const { reference, core, io, vectors } = planOf(dataType);
      const sent = vectors.slice(-8);
      const made = rowsOfVectors(sent, io);
      if (!made) throw new TypeError("words have reals");
      expect(made).toMatchObject({ count: 8, width: 4 });
      // A row of reals has 24 bits, which words of 32 bits in fixed point may have more of.
      const { bytes } = encodeRows(io, core, inputTensors(io.inputs, made));
      if (dataType !== "fps32f16")
        expect(bytes).toEqual(Uint8Array.from(sent.flatMap((row) => [...row])));
      const float = io.outputs[0]?.float;
      const fraction = reference.output.fraction;
      const expected = sent.flatMap((_, row) => {
        const coded = new Int8Array(bytes.buffer, row * core.inputBytes, core.inputBytes);
        const { output } = runReference(reference, wordsOfRow(reference, coded));
        return Array.from(output, (word) =>
          float ? fromFloatWord(float, word) : Math.fround(word / 2 ** fraction),
        );
      });
      expect(firstOf(answerRows(reference, io, made))).toEqual(expected);
    },
  );
});

describe("probabilities that a core makes itself", () => {
  it("are answered as they leave it", () => {
    const iris = planRequest("iris-mlp", "alveo-u50", {
      card: null,
      options: { flow: "neuralbond", softmax: "hardware", expprec: 6 },
    });
    const model = { ...iris.model, graph: scaledGraph(softmaxGraph([2, 3]), 0.25) };
    const { reference, io } = getEngine("bondmachine").plan({ ...iris, model });
    if (!reference) throw new TypeError("a machine has a software model");
    const answers = firstOf(answerRows(reference, io, rows));
    const float = (values: number[]) => Math.fround(values.reduce((sum, value) => sum + value, 0));
    expect(answers).toHaveLength(6);
    for (const row of [answers.slice(0, 3), answers.slice(3)]) {
      expect(float(row)).toBeCloseTo(1, 5);
      expect(Math.max(...row)).toBeGreaterThan(0.4);
    }
    const words = [3, 0.5].map((value) => toFloatWord("FP32", value));
    const { output } = runReference(reference, words);
    expect(answers.slice(0, 3)).toEqual(Array.from(output, (word) => fromFloatWord("FP32", word)));
  });
});

describe("rows of ranks", () => {
  const ranked = (activation: "none" | "sigmoid" | "exp"): ArtifactIo => ({
    inputs: [
      {
        name: "x",
        datatype: "FP32",
        shape: [-1, 3],
        size: 3,
        ranks: [
          { thresholds: [1, 2.5], missing: false },
          { thresholds: [], missing: false },
          { thresholds: [0], missing: true },
        ],
      },
    ],
    outputs: io("none").outputs.map((output) => ({ ...output, activation })),
  });

  it("have the ranks that they were made of", () => {
    const made = rowsOfVectors([Int8Array.of(2, 0), Int8Array.of(0, -1)], ranked("none"));
    expect([...(made?.values ?? [])]).toEqual([2.5, 0, -1, 0, 0, Number.NaN]);
    expect(made).toMatchObject({ count: 2, width: 3 });
    // Back through the integer graph: 4 · (first + second), 4 · (first − second).
    if (made)
      expect(firstOf(answerRows(graph, ranked("none"), made)).slice(0, 2)).toEqual([0.5, 0.5]);
  });

  it("of several inputs have each input's own bytes", () => {
    const [input] = ranked("none").inputs;
    const { outputs } = ranked("none");
    const [first, second, third] = input?.ranks ?? [];
    const parts = [
      { name: "x", size: 1, ranks: first ? [first] : [] },
      { name: "y", size: 2, ranks: second && third ? [second, third] : [] },
    ];
    const inputs = parts.map((part) => ({
      ...part,
      datatype: "FP32" as const,
      shape: [-1, part.size],
    }));
    const made = rowsOfVectors([Int8Array.of(2, 0), Int8Array.of(0, -1)], { inputs, outputs });
    expect([...(made?.values ?? [])]).toEqual([2.5, 0, -1, 0, 0, Number.NaN]);
  });

  it("end in a sigmoid or a power of e where the model does", () => {
    const row = { ...rows, count: 1, width: 3, values: Float32Array.of(3, 0, -1) };
    const [half] = firstOf(answerRows(graph, ranked("sigmoid"), row));
    expect(half).toBeCloseTo(1 / (1 + Math.exp(-0.5)));
    expect(firstOf(answerRows(graph, ranked("exp"), row))[0]).toBeCloseTo(Math.exp(0.5));
  });
});

describe("compareAnswers", () => {
  const shape = { rows, size: 2, classOf: argmax };

  it("measures distance, and classes against float and labels", () => {
    expect(compareAnswers([1.5, 0.5, -1, 1], [1, 0.5, 2, 1], shape)).toEqual({
      maxAbsError: 3,
      meanAbsError: 3.5 / 4,
      agreement: 0.5,
      accuracy: 0.5,
      floatAccuracy: 1,
    });
  });

  it("speaks of no classes where there are none", () => {
    const plain = compareAnswers([1, 2, 3, 4], [1, 2, 3, 4], { ...shape, classOf: null });
    expect(plain).toMatchObject({ maxAbsError: 0, agreement: null, accuracy: null });
  });

  it("takes an index for the class it is", () => {
    const index = { rows, size: 1, classOf: plainClassOf(1) };
    expect(compareAnswers([0, 1], [0, 0], index)).toMatchObject({ agreement: 0.5, accuracy: 0.5 });
  });

  it("does not pass a missing answer for a near one", () => {
    expect(compareAnswers([], [1, 1, 1, 1], shape).maxAbsError).toBeNaN();
  });
});

describe("ownClasses", () => {
  const of = (labels: readonly number[]): Rows => ({
    ...rows,
    count: labels.length,
    labels: Int32Array.from(labels),
  });
  const read = { size: 4, classOf: argmax };
  const answers = [0, 1, 5, 0, 0, 1, 0, 9, 7, 1, 0, 0, 0, 3, 0, 0];

  it("keeps labels that the model answers, though few classes occur", () => {
    const kept = ownClasses(answers, of([2, 3, 2, 3]), read);
    expect(kept.rows.labels).toEqual(Int32Array.of(2, 3, 2, 3));
    expect(kept.classOf).toBe(argmax);
  });

  it("takes labels of something else for none", () => {
    const kept = ownClasses(answers, of([0, 1, 2, 0]), read);
    expect(kept.rows.labels).toBeNull();
    expect(kept.classOf).toBeNull();
  });

  it("keeps labels of every class, however badly the model answers them", () => {
    expect(ownClasses(answers, of([3, 2, 1, 0]), read).rows.labels).not.toBeNull();
  });
});
