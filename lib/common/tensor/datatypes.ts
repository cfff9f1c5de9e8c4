/** Wire datatypes of the Open Inference Protocol with their element size; BYTES elements carry their own length. */
export const datatypes = {
  BOOL: { bytes: 1 },
  UINT8: { bytes: 1 },
  UINT16: { bytes: 2 },
  UINT32: { bytes: 4 },
  UINT64: { bytes: 8 },
  INT8: { bytes: 1 },
  INT16: { bytes: 2 },
  INT32: { bytes: 4 },
  INT64: { bytes: 8 },
  FP16: { bytes: 2 },
  BF16: { bytes: 2 },
  FP32: { bytes: 4 },
  FP64: { bytes: 8 },
  BYTES: { bytes: 0 },
} as const;

export type Datatype = keyof typeof datatypes;
