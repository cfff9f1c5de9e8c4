import { pythonEnvironment } from "./python-environment.mjs";

/** What turns SavedModels into ONNX. One set for every Python that it runs on; only here TensorFlow is without its CUDA. */
export const tensorflowPackages = [
  process.platform === "linux" && process.arch === "x64"
    ? "tensorflow-cpu==2.21.0"
    : "tensorflow==2.21.0",
  "tf2onnx==1.17.0",
  "onnx==1.19.1",
  "numpy==2.2.6",
  "protobuf==6.33.6",
];

const environment = pythonEnvironment({
  name: "tensorflow",
  title: "TensorFlow and tf2onnx",
  packages: tensorflowPackages,
  download: "300 MB",
  disk: "2 GB",
  oldestMinor: 10,
  newestMinor: 13,
});

/** The packages that are installed, or null. */
export const tensorflowFound = environment.found;
export const isTensorflowThere = environment.isThere;
/** Makes the private Python environment, once. */
export const installTensorflow = environment.install;
