import { type AppError, fail } from "@/lib/common/errors";
import { depthLimit, depthOf } from "./json-depth";
import type { Format } from "./sniff";

const understood =
  "Boardwalk takes ONNX, Keras and XGBoost files and archives of a SavedModel; export the model to ONNX.";

const tfliteHint =
  "Upload the Keras file it was made from, or convert it:\npython -m tf2onnx.convert --tflite model.tflite --output model.onnx";

const pickles = {
  pickle: "Python pickle",
  joblib: "joblib file, which is a packed Python pickle",
  pytorch: "PyTorch file, which holds a Python pickle",
} as const;

const fromPytorch = `Export the model to ONNX where it was trained:
import torch
model.eval()
torch.onnx.export(model, example_input, "model.onnx")`;

const fromSklearn = `Export the model to ONNX where it was trained:
from skl2onnx import to_onnx
onnx = to_onnx(model, X[:1].astype("float32"), options={"zipmap": False})
open("model.onnx", "wb").write(onnx.SerializeToString())`;

/** The lines of Python that export it properly. A plain pickle is told by the names in its first bytes. */
function exportHint(format: keyof typeof pickles, bytes: Uint8Array): string {
  if (format === "pytorch") return fromPytorch;
  const names = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  return format === "pickle" && /\btorch\b/.test(names) ? fromPytorch : fromSklearn;
}

const jsonFormats: ReadonlySet<Format> = new Set(["json", "xgboost-json", "bondmachine-json"]);

/** Why a file of this format is not read, or null for those that are read. The bytes are looked at, never loaded. */
export function refusalOf(format: Format, bytes: Uint8Array): AppError | null {
  if (jsonFormats.has(format) && depthOf(bytes) > depthLimit) {
    return fail("MODEL_TOO_COMPLEX", "This is JSON, but no model: it is nested too deeply.");
  }
  switch (format) {
    case "onnx":
    case "xgboost-json":
    case "xgboost-ubj":
    case "bondmachine-json":
    case "keras":
    case "keras-h5":
      return null;
    case "tflite":
      return fail(
        "FORMAT_HAS_NO_ENGINE",
        "This is a TensorFlow Lite model: no engine here takes this yet.",
        { hint: tfliteHint },
      );
    case "savedmodel-graph":
      return fail(
        "MODEL_UNSUPPORTED",
        "This is saved_model.pb alone: the weights of a SavedModel lie in the folder around it.",
        { hint: "Pack the whole folder:\ntar czf saved_model.tar.gz saved_model" },
      );
    case "empty":
      return fail("MODEL_EMPTY", "The file is empty.", {
        hint: "Was the upload or the export cut off?",
      });
    case "html":
      return fail("MODEL_IS_WEB_PAGE", `This is a web page${titleOf(bytes)}, not a model.`, {
        hint: "The address probably needs a login, or is the page around the file.",
      });
    case "pickle":
    case "joblib":
    case "pytorch":
      return fail(
        "MODEL_NOT_ALLOWED",
        `This is a ${pickles[format]}. Pickle files run code when they are loaded and are not accepted.`,
        { hint: exportHint(format, bytes) },
      );
    case "json":
      return fail(
        "MODEL_FORMAT_UNKNOWN",
        "This is JSON, but no model: it has neither `learner` nor `Nodes`.",
        {
          hint: `The JSON models that are recognised are XGBoost's and BondMachine's networks. ${understood}`,
        },
      );
    case "zip":
    case "tar":
    case "gzip":
      return fail("MODEL_FORMAT_UNKNOWN", "This is an archive that holds no model we know.", {
        hint: understood,
      });
    default:
      return fail("MODEL_FORMAT_UNKNOWN", "The file is of no model format we know.", {
        hint: understood,
      });
  }
}

function titleOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 65_536));
  const title = /<title[^>]{0,200}>([^<]{1,500})/i.exec(text)?.[1] ?? "";
  const plain = title
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, 80);
  return plain === "" ? "" : ` (“${plain}”)`;
}
