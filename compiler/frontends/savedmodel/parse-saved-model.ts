import { fail } from "@/lib/common/errors";
import { counted, quoted } from "../../graph/words";
import { checkFunctions } from "./functions";
import { limits } from "./limits";
import { readSignature, type Signature } from "./signature";
import { readVariables, type SavedVariable } from "./variables";
import { mapAt, messageAt, messagesAt, nameOf } from "./wire";

/** What is known of a SavedModel before TensorFlow has seen it. */
export interface SavedModel {
  readonly signature: Signature;
  readonly variables: readonly SavedVariable[];
}

/** The tag under which models are saved to be served. */
const tag = "serve";
const saveAgain = "Save it with TensorFlow 2: model.export(), or tf.saved_model.save().";

/**
 * Reads `saved_model.pb` without running anything of it: what it takes and answers, and that nothing in it is code.
 *
 * @param metadata `keras_metadata.pb` of its folder, which Keras 2 wrote.
 * @throws {AppError} with a `MODEL_…` or `OPERATOR_…` reason.
 * @see https://github.com/tensorflow/tensorflow/tree/master/tensorflow/core/protobuf for the messages and their numbers
 */
export function parseSavedModel(bytes: Uint8Array, metadata: Uint8Array | null): SavedModel {
  if (bytes.length > limits.fileBytes) {
    throw fail("MODEL_TOO_COMPLEX", `saved_model.pb has ${counted(bytes.length, "byte")}.`);
  }
  const graphs = [...messagesAt(bytes, 2)];
  const [graph, another] = graphs;
  if (graph === undefined) throw fail("MODEL_INVALID", "saved_model.pb holds no graph.");
  const objects = messageAt(graph, 7);
  if (another !== undefined || objects.length === 0) {
    throw fail("MODEL_VERSION_UNSUPPORTED", "The model was saved by TensorFlow 1.", {
      hint: saveAgain,
    });
  }
  const tags = Array.from(messagesAt(messageAt(graph, 1), 4), nameOf);
  if (tags.length !== 1 || tags[0] !== tag) {
    throw fail(
      "MODEL_UNSUPPORTED",
      `The SavedModel is tagged ${tags.map(quoted).join(", ") || "with nothing"}, not \`${tag}\`.`,
      { hint: saveAgain },
    );
  }
  refuseLambdas(objects, metadata);
  checkFunctions(messageAt(graph, 2), messageAt(graph, 3), mapAt(objects, 2).keys());
  const signature = readSignature(graph);
  return { signature, variables: readVariables(objects, signature.name) };
}

const text = new TextDecoder("latin1");

/** Keras 2 wrote its layers down as JSON beside the graph, Lambda layers with the bytes of their Python code. */
function refuseLambdas(objects: Uint8Array, metadata: Uint8Array | null): void {
  const notes = [
    ...Array.from(messagesAt(objects, 1), (node) => messageAt(messageAt(node, 4), 3)),
    ...(metadata ? [metadata] : []),
  ];
  for (const note of notes) {
    const found = /"class_name"\s*:\s*"Lambda"/.exec(text.decode(note));
    if (!found) continue;
    throw fail(
      "MODEL_NOT_ALLOWED",
      "The model has a Lambda layer, which contains Python code and is never run.",
      { hint: "Replace it with a built-in layer, such as Rescaling or Activation." },
    );
  }
}
