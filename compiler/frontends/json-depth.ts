/** Objects inside each other that JSON may have; no model needs as many. */
export const depthLimit = 64;

/** Depth of nesting, counted along the bytes; ends as soon as it is too deep. */
export function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let index = 0; index < bytes.length && deepest <= depthLimit; index += 1) {
    const byte = bytes[index];
    if (inText) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) inText = false;
    } else if (byte === 0x22) inText = true;
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return deepest;
}
