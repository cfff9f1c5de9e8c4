/** Operators of the standard domain up to opset 26, deprecated ones included. @see https://onnx.ai/onnx/operators/ */
const standard = `
Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh Attention AveragePool BatchNormalization Bernoulli
BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor BlackmanWindow Cast CastLike Ceil Celu CenterCropPad Clip
Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape Conv ConvInteger ConvTranspose Cos Cosh CumProd CumSum
DFT DeformConv DepthToSpace DequantizeLinear Det Div Dropout DynamicQuantizeLinear Einsum Elu Equal Erf Exp Expand EyeLike
Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool Greater
GreaterOrEqual GridSample GroupNormalization HammingWindow HannWindow HardSigmoid HardSwish Hardmax Identity If ImageDecoder
InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax Loop
LpNormalization LpPool MatMul MatMulInteger Max MaxPool MaxRoiPool MaxUnpool Mean MeanVarianceNormalization
MelWeightMatrix Min Mish Mod Mul Multinomial Neg NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not OneHot Optional
OptionalGetElement OptionalHasElement Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear RMSNormalization RNN
RandomNormal RandomNormalLike RandomUniform RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum
ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare RegexFullMatch Relu Reshape Resize
ReverseSequence RoiAlign RotaryEmbedding Round STFT Scan Scatter ScatterElements ScatterND Selu SequenceAt
SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap Shape Shrink Sigmoid Sign Sin
Sinh Size Slice Softmax SoftmaxCrossEntropyLoss Softplus Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze
StringConcat StringNormalizer StringSplit Sub Sum Swish Tan Tanh TensorScatter TfIdfVectorizer ThresholdedRelu Tile TopK
Transpose Trilu Unique Unsqueeze Upsample Where Xor`;

/** Operators of classical machine learning. @see https://onnx.ai/onnx/operators/index_ai_onnx_ml.html */
const classical = `
ArrayFeatureExtractor Binarizer CastMap CategoryMapper DictVectorizer FeatureVectorizer Imputer LabelEncoder
LinearClassifier LinearRegressor Normalizer OneHotEncoder SVMClassifier SVMRegressor Scaler TreeEnsemble
TreeEnsembleClassifier TreeEnsembleRegressor ZipMap`;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const operators: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["", wordsOf(standard)],
  // QONNX, which quantisation-aware training exports to. @see https://github.com/fastmachinelearning/qonnx
  ["qonnx.custom_op.general", wordsOf("Quant")],
  ["ai.onnx.ml", wordsOf(classical)],
]);

/** Domains of onnxruntime itself: it alone knows their operators, and says so when it loads the model. */
const runtimeDomains: ReadonlySet<string> = new Set(["com.microsoft"]);

/** The standard domain has two spellings; it is the empty text here. */
export function normalDomain(domain: string): string {
  return domain === "ai.onnx" ? "" : domain;
}

/** Whether any engine could know an operator. */
export function isKnownOperator(domain: string, operator: string): boolean {
  return runtimeDomains.has(domain) || (operators.get(domain)?.has(operator) ?? false);
}
