import { fail } from "@/lib/common/errors";
import { quoted } from "../../graph/words";

/** Python functions that TensorFlow calls while it runs the graph. */
const python = /^(Eager)?PyFunc(Stateless)?$/;

/**
 * Operators that read or write files, talk to other processes or devices, end the process, or run machine code that the
 * model carries.
 *
 * @see https://github.com/tensorflow/tensorflow/tree/master/tensorflow/core/ops for all there are
 */
const outside = new RegExp(
  [
    "Dataset|Iterator|Reader|^RecordInput$|File|Summary|^Print|^Debug(Identity|NanCount|Numeric)",
    "^(Save|Restore|MergeV2Checkpoints|DTensorRestore|ImmutableConst$|LoadAndRemap|GenerateVocab)",
    "^(En|De)codeProto|^CalibrationStatisticsSaver$|Rpc|^Remote|Worker|Send|Recv|Collective|Nccl",
    "TPU|Tpu|TRT|^_?Xla(CustomCall|CallModule|Launch|Run|HostCompute)|^Abort$",
  ].join("|"),
);

/** What TensorFlow itself puts into every SavedModel, in functions that save and restore variables. */
const checkpoint = /^(SaveV2|RestoreV2|MergeV2Checkpoints|ShardedFilename)$/;

/**
 * Refuses an operator that is code, or acts outside of the model. Names are only compared.
 *
 * @param isSaver Whether it belongs to what saves and restores variables, which is never run here.
 * @throws {AppError} `MODEL_NOT_ALLOWED`; `OPERATOR_UNSUPPORTED` for operators of libraries other than TensorFlow.
 */
export function checkOperator(name: string, { isSaver }: { readonly isSaver: boolean }): void {
  if (python.test(name)) {
    throw fail(
      "MODEL_NOT_ALLOWED",
      `The model calls Python code (operator ${quoted(name)}), which is never run.`,
      { hint: "Replace tf.py_function and tf.numpy_function by TensorFlow's own operators." },
    );
  }
  if (name.includes(">")) {
    throw fail(
      "OPERATOR_UNSUPPORTED",
      `Operator ${quoted(name)} is of another library than TensorFlow.`,
      { hint: "Use TensorFlow's own operators, or export the model to ONNX where it was trained." },
    );
  }
  if (outside.test(name) && !(isSaver && checkpoint.test(name))) {
    throw fail(
      "MODEL_NOT_ALLOWED",
      `Operator ${quoted(name)} reaches outside of the model, to files, devices or other processes.`,
      { hint: "Export only what computes the answer: tf.saved_model.save() or model.export()." },
    );
  }
}
