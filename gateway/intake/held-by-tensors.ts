import type { Tensor } from "@/lib/common/tensor";

/** An array of one string's bytes: the object, and its place in the list. */
const stringObjectBytes = 128;

/** Bytes that tensors hold, or that a message made of them does. */
export function heldByTensors(tensors: readonly Tensor[]): number {
  let bytes = 0;
  for (const { data } of tensors) {
    if (ArrayBuffer.isView(data)) bytes += data.byteLength;
    else for (const element of data) bytes += element.length + stringObjectBytes;
  }
  return bytes;
}
