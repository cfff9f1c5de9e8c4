import type { Reason } from "@/lib/common/errors";

/** What a file of `tests/fixtures/bad` is answered. */
export interface BadFile {
  readonly reason: Reason;
  /** Words that the message must hold: what is wrong, and where. */
  readonly says: readonly string[];
}

const pickle: BadFile = { reason: "MODEL_NOT_ALLOWED", says: ["pickle", "run code"] };

/** Every file that no engine may be given. */
export const badFiles: Readonly<Record<string, BadFile>> = {
  "empty.onnx": { reason: "MODEL_EMPTY", says: ["empty"] },
  "truncated.onnx": { reason: "MODEL_TRUNCATED", says: ["byte 1551"] },
  "html-page.onnx": { reason: "MODEL_IS_WEB_PAGE", says: ["web page", "Sign in"] },
  "unknown-op.onnx": {
    reason: "OPERATOR_UNKNOWN",
    says: ["`last`", "com.example.custom.FancyActivation"],
  },
  "external-data-escape.onnx": {
    reason: "MODEL_EXTERNAL_DATA",
    says: ["`w`", "outside of the model's folder"],
  },
  "nan-weights.onnx": {
    reason: "MODEL_WEIGHTS_NOT_FINITE",
    says: ["`w`", "1 NaN", "1 infinite value", "[1,1]"],
  },
  "wrong-ir.onnx": { reason: "MODEL_VERSION_UNSUPPORTED", says: ["IR version 999", "13"] },
  "wrong-opset.onnx": { reason: "MODEL_VERSION_UNSUPPORTED", says: ["Opset 9999", "26"] },
  "cyclic.onnx": { reason: "MODEL_CYCLE", says: ["`first` and `second`"] },
  "zero-dim.onnx": { reason: "MODEL_SHAPE_INVALID", says: ["`x`", "dimension of size 0"] },
  "huge-dim.onnx": { reason: "MODEL_WEIGHT_INVALID", says: ["`w`", "12 TiB", "48 bytes"] },
  "overflow-dims.onnx": { reason: "MODEL_WEIGHT_INVALID", says: ["`w`", "64 EiB"] },
  "negative-dims.onnx": { reason: "MODEL_WEIGHT_INVALID", says: ["`w`", "negative dimension"] },
  "short-weights.onnx": { reason: "MODEL_WEIGHT_INVALID", says: ["`w`", "20 of 48 bytes"] },
  "missing-weight.onnx": { reason: "MODEL_INVALID", says: ["`dense`", "`w`"] },
  "shape-mismatch.onnx": {
    reason: "MODEL_SHAPE_INVALID",
    says: ["`dense`", "4 columns", "5 rows"],
  },
  "pickle.pkl": pickle,
  "pickle-named.onnx": pickle,
  "slip.tar.gz": {
    reason: "ARCHIVE_REJECTED",
    says: ["`saved_model/../../escaped-by-dots.txt`", "leaves the archive's folder"],
  },
  "bomb.tar.gz": { reason: "ARCHIVE_REJECTED", says: ["beyond the limit of 200 times"] },
  "bomb-sparse.tar.gz": { reason: "ARCHIVE_REJECTED", says: ["sparse"] },
  "many-files.tar.gz": { reason: "ARCHIVE_REJECTED", says: ["more than 10,000 files"] },
  "bomb.keras": { reason: "ARCHIVE_REJECTED", says: ["beyond the limit of 200 times"] },
  "keras-slip.keras": {
    reason: "ARCHIVE_REJECTED",
    says: ["`../../escaped-from-keras.txt`", "leaves the archive's folder"],
  },
  "json-deep-nesting.json": { reason: "MODEL_TOO_COMPLEX", says: ["nested too deeply"] },
  "not-a-model.json": { reason: "MODEL_FORMAT_UNKNOWN", says: ["neither `learner` nor `Nodes`"] },
  "keras-lambda.keras": { reason: "MODEL_NOT_ALLOWED", says: ["`lambda`", "Python code"] },
  "keras-foreign-module.keras": {
    reason: "MODEL_NOT_ALLOWED",
    says: ["`os.system`", "not a Keras layer"],
  },
  "keras-no-weights.keras": { reason: "MODEL_INVALID", says: ["no weights file"] },
  "xgboost-truncated.json": { reason: "MODEL_TRUNCATED", says: ["ends at character"] },
  "xgboost-deep-recursion.json": { reason: "MODEL_CYCLE", says: ["Tree 0 has a cycle at node"] },
  "xgboost-child-out-of-range.json": {
    reason: "MODEL_INVALID",
    says: ["Tree 0, node 0: child 1,000,000 of"],
  },
  "xgboost-feature-out-of-range.json": {
    reason: "MODEL_INVALID",
    says: ["Tree 0, node 0: feature 4096, the model has 10"],
  },
};

/** Files that are read: a CPU can serve them, and an FPGA engine refuses them with these words. */
export const cpuOnlyFiles: Readonly<Record<string, BadFile>> = {
  "loop-op.onnx": { reason: "OPERATOR_UNSUPPORTED", says: ["Loop", "loop"] },
  "string-input.onnx": { reason: "MODEL_UNSUPPORTED", says: ["word", "BYTES"] },
};
