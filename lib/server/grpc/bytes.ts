/** A message of which the contract is its caller's, as the library wants it. */
export const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A message as it came. */
export const asIs = (bytes: Buffer): Buffer => bytes;
