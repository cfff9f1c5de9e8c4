/** Models that come with every installation, for a first try with known answers. */
export const samples = [
  {
    id: "iris-mlp",
    url: "s3://boardwalk-samples/iris-mlp/model.onnx",
    text: "4 measurements of a flower → 3 species",
  },
  {
    id: "digits-mlp",
    url: "s3://boardwalk-samples/digits-mlp/model.onnx",
    text: "8 × 8 pixels → 10 digits",
  },
  {
    id: "jets-small-mlp",
    url: "s3://boardwalk-samples/jets-small-mlp/model.onnx",
    text: "16 jet features → 5 particles",
  },
  {
    id: "jets-shape-mlp",
    url: "s3://boardwalk-samples/jets-shape-mlp/model.keras",
    text: "the same, larger, from Keras",
  },
  {
    id: "banknote-mlp",
    url: "s3://boardwalk-samples/banknote-mlp/model.onnx",
    text: "4 made-up features → 2 kinds of banknote",
  },
] as const;
