import { elementWriter } from "./element-text";
import type { Tensor } from "./tensor";

/**
 * The elements of a tensor as people read them: numbers with every digit, texts without quotes, words for what is no number.
 *
 * @throws {AppError} `INFER_INVALID` for bytes that are no text.
 */
export function elementTexts(tensor: Tensor): string[] {
  const write = elementWriter(tensor);
  return Array.from({ length: tensor.data.length }, (_, index) => {
    const text = write(index);
    return text.startsWith('"') ? String(JSON.parse(text)) : text;
  });
}
