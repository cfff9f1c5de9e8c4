import { bfloat16Text, float16Text, float32Text, float64Text } from "./number-text";
import { invalid } from "./shape";
import type { Tensor } from "./tensor";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * How an element of a tensor is written in JSON.
 *
 * @throws {AppError} `INFER_INVALID` from the function that it answers, for bytes that are no text.
 */
export function elementWriter({ name, datatype, data }: Tensor): (index: number) => string {
  const numbers = data as ArrayLike<number>;
  const number = (text: (value: number) => string) => (index: number) =>
    text(numbers[index] as number);
  switch (datatype) {
    case "FP32":
      return number(float32Text);
    case "FP64":
      return number(float64Text);
    case "FP16":
      return number(float16Text);
    case "BF16":
      return number(bfloat16Text);
    case "BOOL":
      return number((bit) => (bit === 0 ? "false" : "true"));
    case "BYTES":
      return (index) => byteStringText((data as readonly Uint8Array[])[index], name);
    default:
      return number(String);
  }
}

function byteStringText(bytes: Uint8Array | undefined, name: string): string {
  try {
    return JSON.stringify(utf8.decode(bytes));
  } catch {
    throw invalid(
      `output '${name}' holds bytes that are not UTF-8 text; request it with the parameter binary_data: true`,
    );
  }
}
