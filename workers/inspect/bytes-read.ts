import { sniff } from "@/engines";
import { type AppError, fromErrorData, toErrorData } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";

/** What a model may be, in words. */
const expected =
  "ONNX, Keras (.keras, .h5), XGBoost (JSON, UBJ), a SavedModel archive, or firmware";

/** Bytes of the beginning that are shown. */
const shownBytes = 16;

/** Says with an error what was read: how much, how it begins, and what it looks like. */
export function withBytesRead(error: AppError, bytes: Uint8Array): AppError {
  const data = toErrorData(error);
  return fromErrorData({
    ...data,
    details: {
      ...data.details,
      bytesRead: bytes.length,
      firstBytes: Buffer.from(bytes.subarray(0, shownBytes)).toString("hex"),
      formatGuess: sniff(bytes),
      expected,
      digest: digestOf(bytes),
    },
  });
}
