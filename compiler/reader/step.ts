import type { ElementwiseProgram } from "@/lib/common/elementwise";
import type { Quantizer } from "../model/quantizer";

/** What a supported operator does to one row. Steps follow each other; `foldSteps` merges them into dense layers. */
export type Step =
  | {
      readonly kind: "dense";
      readonly name: string;
      readonly inputSize: number;
      readonly outputSize: number;
      /** Row-major by output. */
      readonly weights: Float64Array;
      readonly bias: Float64Array;
    }
  /** `y[i] = factor[i] · x[i] + offset[i]` */
  | {
      readonly kind: "affine";
      readonly name: string;
      readonly operator: string;
      readonly factor: Float64Array;
      readonly offset: Float64Array;
    }
  | { readonly kind: "relu"; readonly name: string }
  /** Values go onto a grid of the model's own. */
  | {
      readonly kind: "quantize";
      readonly name: string;
      readonly operator: string;
      readonly quantizer: Quantizer;
    }
  /** A function of each value by itself. */
  | {
      readonly kind: "elementwise";
      readonly name: string;
      readonly operator: string;
      readonly program: ElementwiseProgram;
    };
