import { fail } from "@/lib/common/errors";

/** Numbers that JSON has no word for, as XGBoost writes them. */
const bareNumbers = /(?<=[[,:]\s*)-?(?:NaN|Infinity|inf|nan)(?=\s*[,\]}])/g;

/**
 * Reads an XGBoost model's JSON, whose nesting was bounded before.
 *
 * @throws {AppError} `MODEL_TRUNCATED`, `MODEL_INVALID`.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = new TextDecoder("utf-8").decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    // Told below, unless only bare numbers stood in the way.
  }
  try {
    return JSON.parse(text.replace(bareNumbers, "null"));
  } catch (cause) {
    if (!text.trimEnd().endsWith("}")) {
      throw fail(
        "MODEL_TRUNCATED",
        `The JSON ends at character ${text.length}, before the model does.`,
        {
          hint: "This is likely an incomplete download.",
          cause,
        },
      );
    }
    throw fail("MODEL_INVALID", "The file is not valid JSON.", { cause });
  }
}
