/** Where things lie in the memory of the module, in bytes. */
export const layout = {
  /** 10^0 … 10^19 as 64-bit integers. */
  integerPowers: 0,
  /** 10^0 … 10^22, which are exact doubles. */
  doublePowers: 256,
  /** 16 bytes of zeros, then 16 of ones: 16 bytes from n on keep the last n bytes of a vector. */
  lastBytes: 512,
  /** Where a call leaves how far it came in its second direction. */
  second: 1024,
  /** By exponent of a float32, all those but powers of two, then powers of two: see `float32Scales`. */
  float32Scales: 2048,
  /** Powers of ten to 128 bits: see `widePowers`. */
  widePowers: 16_384,
  /** The window of text that is read or written; vectors are read to 32 bytes beyond and before it. */
  text: 32_768,
  /** The elements. */
  values: 131_072,
  pages: 4,
} as const;

/** Bytes of a window of text, which the module reads at once at most. */
export const windowBytes = 64 * 1024;
/** Bytes of elements that one call reads or writes at most. */
export const valueBytes = 64 * 1024;
