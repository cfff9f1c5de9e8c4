import {
  activationLayer,
  eluLayer,
  leakyReluLayer,
  preluLayer,
  reluLayer,
  softmaxLayer,
} from "./activation";
import { multiHeadAttention } from "./attention";
import type { LayerTranslator } from "./call";
import { convolution, depthwiseConvolution, separableConvolution } from "./convolution";
import { dense } from "./dense";
import { embedding } from "./embedding";
import { average, concatenate, elementwise } from "./merge";
import { batchNormalization, layerNormalization, normalization, rescaling } from "./normalisation";
import { globalPooling, pooling } from "./pooling";
import { bidirectional, recurrent } from "./recurrent";
import { flatten, permute, repeatVector, reshape, unchanged, zeroPadding } from "./shape";

export type { LayerTranslator } from "./call";
export { hgqLayers, isHgqModule } from "./hgq";

/** Every layer class that is read, by Keras's own name. */
export const layers: Readonly<Record<string, LayerTranslator>> = {
  Dense: dense,
  Conv1D: convolution(1),
  Conv2D: convolution(2),
  DepthwiseConv1D: depthwiseConvolution(1),
  DepthwiseConv2D: depthwiseConvolution(2),
  SeparableConv1D: separableConvolution(1),
  SeparableConv2D: separableConvolution(2),
  BatchNormalization: batchNormalization,
  LayerNormalization: layerNormalization,
  Normalization: normalization,
  Rescaling: rescaling,
  MaxPooling1D: pooling("MaxPool", 1),
  MaxPooling2D: pooling("MaxPool", 2),
  AveragePooling1D: pooling("AveragePool", 1),
  AveragePooling2D: pooling("AveragePool", 2),
  GlobalMaxPooling1D: globalPooling("ReduceMax", 1),
  GlobalMaxPooling2D: globalPooling("ReduceMax", 2),
  GlobalAveragePooling1D: globalPooling("ReduceMean", 1),
  GlobalAveragePooling2D: globalPooling("ReduceMean", 2),
  Activation: activationLayer,
  ReLU: reluLayer,
  LeakyReLU: leakyReluLayer,
  PReLU: preluLayer,
  ELU: eluLayer,
  Softmax: softmaxLayer,
  Add: elementwise("Add"),
  Subtract: elementwise("Sub"),
  Multiply: elementwise("Mul"),
  Maximum: elementwise("Max"),
  Minimum: elementwise("Min"),
  Average: average,
  Concatenate: concatenate,
  Flatten: flatten,
  Reshape: reshape,
  Permute: permute,
  RepeatVector: repeatVector,
  ZeroPadding1D: zeroPadding(1),
  ZeroPadding2D: zeroPadding(2),
  Embedding: embedding,
  MultiHeadAttention: multiHeadAttention,
  LSTM: recurrent("LSTM"),
  GRU: recurrent("GRU"),
  SimpleRNN: recurrent("SimpleRNN"),
  Bidirectional: bidirectional,
  // What training does and serving does not.
  Dropout: unchanged,
  SpatialDropout1D: unchanged,
  SpatialDropout2D: unchanged,
  AlphaDropout: unchanged,
  GaussianDropout: unchanged,
  GaussianNoise: unchanged,
  ActivityRegularization: unchanged,
  Identity: unchanged,
};
