import { isAppError } from "@/lib/common/errors";
import { jsonTensor, type Tensor } from "@/lib/common/tensor";

/** The longest request that is kept, bytes of its JSON. */
export const mostKeptBytes = 64 * 1024;
/** No element takes less than a digit and a comma. */
const leastElementBytes = 2;

/** A request as V2's JSON, whatever it came as; null where that would be too long, or where JSON cannot hold it. */
export function requestJson(id: string, inputs: readonly Tensor[]): string | null {
  const elements = inputs.reduce((sum, { data }) => sum + data.length, 0);
  if (elements * leastElementBytes > mostKeptBytes) return null;
  try {
    const head = id === "" ? "" : `"id":${JSON.stringify(id)},`;
    const text = `{${head}"inputs":[${inputs.map(jsonTensor).join(",")}]}`;
    return Buffer.byteLength(text) > mostKeptBytes ? null : text;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
