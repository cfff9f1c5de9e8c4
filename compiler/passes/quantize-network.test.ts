import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layersOf } from "../integer/layers";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { type DenseLayer, runDenseNetwork } from "../model/dense-network";
import { accumulatorWidth } from "./accumulator-width";
import { inputFormatOf, type Precision, precisions } from "./precision";
import { quantizeNetwork, quantizeRow } from "./quantize-network";
import { clippedFraction, fractionFor, plainFraction, quantizeWeights } from "./quantize-weights";

const bits = 8;
const finite = (max: number) => fc.double({ min: -max, max, noNaN: true });

describe("weights on a power-of-two grid", () => {
  it("never exceed their range, and lose at most half a step when nothing is clipped", () => {
    fc.assert(
      fc.property(fc.array(finite(1e6), { minLength: 1, maxLength: 20 }), (weights) => {
        const fraction = plainFraction(weights, bits);
        const integers = quantizeWeights(weights, fraction, bits);
        for (const [index, integer] of integers.entries()) {
          expect(Math.abs(integer)).toBeLessThanOrEqual(127);
          const error = Math.abs(integer * 2 ** -fraction - (weights[index] ?? 0));
          expect(error).toBeLessThanOrEqual(2 ** (-fraction - 1));
        }
      }),
    );
  });

  it("clip a large one only when the many small ones gain more by it", () => {
    const small = Array.from({ length: 200 }, (_, i) => ((i % 7) - 3) * 0.0031);
    expect(clippedFraction([1, ...small], bits)).toBe(plainFraction([1, ...small], bits) + 1);
    expect(clippedFraction([1.9, ...small], bits)).toBe(plainFraction([1.9, ...small], bits));
  });

  it("take the finest grid that holds a magnitude", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (magnitude) => {
        const fraction = fractionFor(magnitude, 127);
        expect(magnitude * 2 ** fraction).toBeLessThanOrEqual(127);
        expect(magnitude * 2 ** (fraction + 1) > 127 || fraction === 40).toBe(true);
      }),
    );
  });
});

describe("accumulators", () => {
  it("hold every sum of random rows, and one bit less would not hold the worst", () => {
    const weights = [127, -127, 64, 3];
    const bias = [1000];
    const width = accumulatorWidth({
      inputSize: 4,
      weights,
      bias,
      inputSigned: true,
      inputWidth: 8,
    });
    const worst = 1000 + 127 * 127 + 127 * 128 + 64 * 127 + 3 * 127;
    expect(worst).toBeLessThan(2 ** (width - 1));
    expect(worst).toBeGreaterThanOrEqual(2 ** (width - 2));
  });
});

describe("quantised networks", () => {
  const network = fc
    .array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 4 })
    .chain((sizes) =>
      fc.tuple(
        ...sizes.slice(1).map((outputSize, index) => {
          const inputSize = sizes[index] ?? 1;
          const scale = fc.constantFrom(1e-4, 0.1, 1, 50);
          return fc.record({
            name: fc.constant(`layer${index}`),
            inputSize: fc.constant(inputSize),
            outputSize: fc.constant(outputSize),
            weights: scale.chain((max) =>
              fc
                .array(finite(max), {
                  minLength: inputSize * outputSize,
                  maxLength: inputSize * outputSize,
                })
                .map((values) => Float64Array.from(values)),
            ),
            bias: fc
              .array(finite(10), { minLength: outputSize, maxLength: outputSize })
              .map((values) => Float64Array.from(values)),
            relu: fc.boolean(),
          });
        }),
      ),
    );

  const anyPrecision: fc.Arbitrary<Precision> = fc.record({
    inputBits: fc.integer({ min: 4, max: 8 }),
    weightBits: fc.tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 2, max: 8 })),
    activationBits: fc.integer({ min: 2, max: 8 }),
  });

  it("keep every width and shift within the hardware, whatever the weights", () => {
    fc.assert(
      fc.property(
        network,
        fc.integer({ min: 0, max: 1e6 }),
        anyPrecision,
        (layers: readonly DenseLayer[], seed, precision) => {
          const size = layers[0]?.inputSize ?? 1;
          const rows = Array.from({ length: 8 }, (_, row) =>
            Float64Array.from({ length: size }, (_, i) => Math.sin(seed + row * 7 + i) * 3),
          );
          const graph = quantizeNetwork({
            layers,
            rows,
            synthetic: false,
            inputName: "x",
            outputName: "y",
            precision,
          });
          for (const { dense, requantize } of layersOf(graph)) {
            expect(dense.accumulatorWidth).toBeLessThanOrEqual(32);
            const largest = 2 ** (dense.weightWidth - 1) - 1;
            for (const weight of dense.weights)
              expect(Math.abs(weight)).toBeLessThanOrEqual(largest);
            for (const shift of requantize.shift) {
              expect(shift).toBeGreaterThanOrEqual(0);
              expect(shift).toBeLessThanOrEqual(15);
            }
          }
          // The interpreter asserts that no sum leaves its declared width.
          const edge = 2 ** (precision.inputBits - 1);
          for (const extreme of [-edge, edge - 1]) {
            expect(() => runIntegerGraph(graph, new Int8Array(size).fill(extreme))).not.toThrow();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("stay close to the float network", () => {
    const precision = precisions["exact-ish"];
    const random = (i: number) => Math.sin(i * 12.9898) * 0.8;
    const layer = (name: string, inputSize: number, outputSize: number, relu: boolean) => ({
      name,
      inputSize,
      outputSize,
      weights: Float64Array.from({ length: inputSize * outputSize }, (_, i) => random(i)),
      bias: Float64Array.from({ length: outputSize }, (_, i) => random(i + 99)),
      relu,
    });
    const layers = [layer("a", 8, 12, true), layer("b", 12, 4, false)];
    const rows = Array.from({ length: 60 }, (_, row) =>
      Float64Array.from({ length: 8 }, (_, i) => random(row * 8 + i) * 3),
    );
    const graph = quantizeNetwork({
      layers,
      rows,
      synthetic: false,
      inputName: "x",
      outputName: "y",
      precision,
    });
    for (const row of rows) {
      const wanted = runDenseNetwork(layers, row).at(-1) ?? [];
      const { output } = runIntegerGraph(graph, quantizeRow(row, inputFormatOf(precision)));
      for (const [index, value] of Array.from(wanted).entries()) {
        expect(Math.abs((output[index] ?? 0) * 2 ** -graph.output.fraction - value)).toBeLessThan(
          0.25,
        );
      }
    }
  });
});
