import { describe, expect, it } from "vitest";
import { type ArtifactIo, accuracySchema } from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";
import { compareOutputs } from "./compare-outputs";
import { measureAccuracy } from "./measure-accuracy";

type Output = ArtifactIo["outputs"][number];
const outputOf = (name: string, size: number, more: Partial<Output> = {}): Output => ({
  name,
  datatype: "FP32",
  shape: [-1, size],
  size,
  activation: "none",
  ...more,
});
const rows: Rows = {
  count: 4,
  width: 1,
  values: Float32Array.of(1, 2, 3, 4),
  labels: Int32Array.of(0, 1, 2, 0),
  source: "test.csv",
};

describe("several outputs", () => {
  const digit = outputOf("digit", 3);
  const angle = outputOf("angle", 2);
  const subject = {
    rows,
    classNames: null,
    outputs: [digit, angle],
    floats: [
      [5, 1, 0, 0, 5, 1, 0, 1, 5, 5, 0, 1],
      [0, 1, 2, 3, 4, 5, 6, 7],
    ],
    integers: [
      [5, 1, 0, 0, 5, 1, 6, 1, 5, 5, 0, 1],
      [0, 1, 2, 3, 4, 5, 6, 9],
    ],
  };
  const reportOf = (outputs: ReturnType<typeof compareOutputs>) =>
    measureAccuracy({
      outputs,
      rows,
      classNames: null,
      synthetic: false,
      calibration: null,
      calibrationRows: null,
      clipping: [],
    });

  it("have an entry each, with classes and labels where they are about it", () => {
    const report = reportOf(compareOutputs(subject));
    const [first] = report.outputs ?? [];
    expect(report.outputs).toEqual([
      {
        output: "digit",
        labelled: true,
        agreement: 0.75,
        floatAccuracy: 1,
        integerAccuracy: 0.75,
        maxAbsError: 6,
        meanAbsError: 0.5,
      },
      {
        output: "angle",
        labelled: false,
        agreement: null,
        floatAccuracy: null,
        integerAccuracy: null,
        maxAbsError: 2,
        meanAbsError: 0.25,
      },
    ]);
    expect(report).toMatchObject({ agreement: first?.agreement, maxAbsError: first?.maxAbsError });
    expect(report.worst[0]).toMatchObject({ row: 3, floatClass: 2, integerClass: 0 });
  });

  it("of which the first is a value have labels at the one that they are about", () => {
    const [value, scores] = reportOf(
      compareOutputs({
        ...subject,
        outputs: [angle, digit],
        floats: subject.floats.toReversed(),
        integers: subject.integers.toReversed(),
      }),
    ).outputs ?? [null, null];
    expect(value).toMatchObject({ output: "angle", labelled: false, agreement: null });
    expect(scores).toMatchObject({ output: "digit", labelled: true, integerAccuracy: 0.75 });
  });

  it("of one place among the scores name classes as the label does", () => {
    const scores = { first: 0, count: 2 };
    const [label, chances] = compareOutputs({
      rows: { ...rows, labels: Int32Array.of(7, 9, 9, 7) },
      classNames: null,
      outputs: [
        outputOf("label", 1, { activation: "argmax", scores, classes: [7, 9] }),
        outputOf("chances", 2, { activation: "softmax", scores }),
      ],
      floats: [
        [7, 9, 9, 7],
        [1, 0, 0, 1, 0, 1, 1, 0],
      ],
      integers: [
        [7, 9, 7, 7],
        [1, 0, 0, 1, 1, 0, 1, 0],
      ],
    });
    const figures = { agreement: 0.75, accuracy: 0.75, floatAccuracy: 1 };
    expect(label.agreement).toMatchObject(figures);
    expect(chances?.agreement).toMatchObject(figures);
  });

  it("are absent from reports of earlier versions, which are read as before", () => {
    const { outputs: _, ...old } = reportOf(compareOutputs(subject));
    expect(accuracySchema.parse(old)).toEqual(old);
  });
});
