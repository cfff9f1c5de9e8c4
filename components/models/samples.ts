/** Models that come with every installation, for a first try with known answers. `key` names their text in the catalogues. */
export const samples = [
  {
    id: "iris-mlp",
    key: "irisMlp",
    url: "s3://boardwalk-samples/iris-mlp/model.onnx",
  },
  {
    id: "digits-mlp",
    key: "digitsMlp",
    url: "s3://boardwalk-samples/digits-mlp/model.onnx",
  },
  {
    id: "jets-small-mlp",
    key: "jetsSmallMlp",
    url: "s3://boardwalk-samples/jets-small-mlp/model.onnx",
  },
  {
    id: "jets-shape-mlp",
    key: "jetsShapeMlp",
    url: "s3://boardwalk-samples/jets-shape-mlp/model.keras",
  },
  {
    id: "banknote-mlp",
    key: "banknoteMlp",
    url: "s3://boardwalk-samples/banknote-mlp/model.onnx",
  },
] as const;
