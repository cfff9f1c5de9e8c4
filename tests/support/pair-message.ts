import { create, toBinary } from "@bufbuild/protobuf";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { pair } from "./pair";

/** The row of `pair` as a message of `ModelInfer`, for the endpoint of a name. */
export function pairMessage(modelName: string): Uint8Array {
  const { name, row } = pair.row;
  return toBinary(
    ModelInferRequestSchema,
    create(ModelInferRequestSchema, {
      modelName,
      inputs: [{ name, datatype: "FP32", shape: [1n, BigInt(row.length)] }],
      rawInputContents: [new Uint8Array(Float32Array.from(row).buffer)],
    }),
  );
}
