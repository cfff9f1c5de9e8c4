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

/** The name of a datatype, as the protocol writes it. */
export type Datatype = keyof typeof datatypes;

/** Whether a text, such as one off the wire, is the name of a datatype. */
export function isDatatype(text: string): text is Datatype {
  return Object.hasOwn(datatypes, text);
}

/** A text that is known to name a datatype, such as a manifest's, as one. @throws {RangeError} when it names none. */
export function toDatatype(text: string): Datatype {
  if (isDatatype(text)) return text;
  throw new RangeError(`${text} is no datatype.`);
}
