import type { GraphNode } from "../graph/graph";
import { qonnxDomain } from "../model/quantizer";
import { argMax, argMin } from "./arg-max";
import { add, div, mul, sub } from "./arithmetic";
import { averagePool } from "./average-pool";
import { batchNormalization } from "./batch-normalization";
import { cast } from "./cast";
import { concat } from "./concat";
import { conv } from "./conv";
import { clip, elementwise, exp } from "./elementwise";
import { flatten } from "./flatten";
import { gemm } from "./gemm";
import { dropout, identity } from "./identity";
import { layerNormalization } from "./layer-normalization";
import { gather, max, reduceProd, shape, slice } from "./lists";
import { matMul } from "./mat-mul";
import { maxPool } from "./max-pool";
import { type Operator, sameShape } from "./operator";
import { pad } from "./pad";
import { dequantizeLinear, quant, quantizeLinear } from "./quantizers";
import { reduceMean } from "./reduce-mean";
import { relu } from "./relu";
import { reshape } from "./reshape";
import { scaler } from "./scaler";
import { sigmoid } from "./sigmoid";
import { softmax } from "./softmax";
import { squeeze, unsqueeze } from "./squeeze";
import { transpose } from "./transpose";
import { arrayFeatureExtractor, treeEnsembles } from "./trees";

/** The standard domain. */
const standard: Readonly<Record<string, Operator>> = {
  ...elementwise,
  Add: add,
  ArgMax: argMax,
  ArgMin: argMin,
  AveragePool: averagePool,
  BatchNormalization: batchNormalization,
  Cast: cast,
  Clip: clip,
  Concat: concat,
  Conv: conv,
  DequantizeLinear: dequantizeLinear,
  Div: div,
  Dropout: dropout,
  Exp: exp,
  Flatten: flatten,
  Gather: gather,
  Gemm: gemm,
  GlobalAveragePool: averagePool,
  GlobalMaxPool: maxPool,
  Identity: identity,
  LayerNormalization: layerNormalization,
  LogSoftmax: { shape: sameShape },
  MatMul: matMul,
  Max: max,
  MaxPool: maxPool,
  Mul: mul,
  Pad: pad,
  QuantizeLinear: quantizeLinear,
  ReduceMean: reduceMean,
  ReduceProd: reduceProd,
  Relu: relu,
  Reshape: reshape,
  Shape: shape,
  Sigmoid: sigmoid,
  Slice: slice,
  Softmax: softmax,
  Squeeze: squeeze,
  Sub: sub,
  Transpose: transpose,
  Unsqueeze: unsqueeze,
};

const domains: Readonly<Record<string, Readonly<Record<string, Operator>>>> = {
  "": standard,
  "ai.onnx.ml": {
    ArrayFeatureExtractor: arrayFeatureExtractor,
    Scaler: scaler,
    TreeEnsembleClassifier: treeEnsembles,
    TreeEnsembleRegressor: treeEnsembles,
  },
  [qonnxDomain]: { Quant: quant },
};

const none: Operator = {};

/** What is known of a node's operator; nothing of those that are not listed here. */
export function operatorOf({ domain, operator }: Pick<GraphNode, "domain" | "operator">): Operator {
  const operators = Object.hasOwn(domains, domain) ? domains[domain] : undefined;
  return operators && Object.hasOwn(operators, operator) ? (operators[operator] ?? none) : none;
}
