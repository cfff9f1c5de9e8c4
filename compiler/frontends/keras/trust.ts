import { type AppError, fail } from "@/lib/common/errors";
import { quoted } from "../../graph/words";
import { isKerasModule } from "./activations";
import { isJson } from "./fields";
import { hgqLayers, isHgqModule, layers } from "./layers";
import { isModelClass, type LayerConfig, whereOf } from "./topology";

/** Layers that are Python code of the model's author. */
const codeLayers: ReadonlySet<string> = new Set([
  "Lambda",
  "TFOpLambda",
  "SlicingOpLambda",
  "TFSMLayer",
  "TorchModuleWrapper",
  "JaxLayer",
  "FlaxLayer",
]);

/**
 * Refuses a layer that is no layer of Keras, or that we do not read. Names are only compared: nothing is looked up.
 *
 * @throws {AppError} `MODEL_NOT_ALLOWED` for code, `OPERATOR_UNSUPPORTED` for layers of Keras that are not read,
 * `MODEL_UNSUPPORTED` for reduced precision.
 */
export function checkLayer(layer: LayerConfig): void {
  const { name, className, module, registeredName } = layer;
  if (className === "Lambda") {
    throw fail("MODEL_NOT_ALLOWED", `${whereOf(name)} contains Python code and is never run.`, {
      hint: "Replace it with a built-in layer, such as Rescaling or Activation.",
    });
  }
  if (isHgqModule(module)) {
    checkHgqLayer(layer);
    return;
  }
  const foreign = module !== undefined && !isKerasModule(module);
  const registered = typeof registeredName === "string" && registeredName.includes(">");
  if (foreign || (registered && !registeredName.startsWith("keras"))) {
    const full = foreign ? `${String(module)}.${className}` : String(registeredName);
    throw fail(
      "MODEL_NOT_ALLOWED",
      `${whereOf(name)} is of class ${quoted(full)}, which is not a Keras layer.`,
      {
        hint: "Nothing outside of Keras is imported: use built-in layers, or export the model to ONNX.",
      },
    );
  }
  if (codeLayers.has(className) || !isRead(className)) throw notRead(layer);
  checkPrecision(layer);
}

/** Layers of HGQ2 are read as far as their shapes go; what they compute, only its own tools know. */
function checkHgqLayer(layer: LayerConfig): void {
  const { name, className } = layer;
  if (Object.hasOwn(hgqLayers, className)) {
    checkPrecision(layer);
    return;
  }
  throw fail(
    "OPERATOR_UNSUPPORTED",
    `${whereOf(name)} is of HGQ2's class ${quoted(className)}, which is not read here.`,
    { hint: `Of HGQ2, ${Object.keys(hgqLayers).join(", ")} are read.` },
  );
}

const isRead = (className: string): boolean =>
  className === "InputLayer" || isModelClass(className) || Object.hasOwn(layers, className);

function notRead({ name, className, module }: LayerConfig): AppError {
  const isOperation = typeof module === "string" && module.includes(".ops");
  const what = isOperation ? "operation" : "class";
  return fail(
    "OPERATOR_UNSUPPORTED",
    `${whereOf(name)} is of ${what} ${quoted(className)}, which is not read here.`,
    { hint: "Use other built-in layers, or export the model to ONNX with tf2onnx." },
  );
}

/** A policy is a name, or an object that holds one. */
function checkPrecision({ name, className, fields }: LayerConfig): void {
  if (className === "InputLayer") return;
  const policy = fields.raw("dtype");
  const inner = isJson(policy) ? policy["config"] : undefined;
  const named = isJson(inner) ? inner["name"] : policy;
  if (named === undefined || named === "float32") return;
  if (typeof named === "string" && /^u?int/.test(named)) return;
  throw fail(
    "MODEL_UNSUPPORTED",
    `${whereOf(name)} computes in ${quoted(String(named))}; only float32 is read here.`,
    { hint: 'Save the model with the policy keras.config.set_dtype_policy("float32").' },
  );
}
