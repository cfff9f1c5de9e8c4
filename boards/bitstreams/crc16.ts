/** CRC-16 with polynomial 0x1021 that begins with all ones and adds nothing at the end, as an iCE40 computes it. */
export function crc16() {
  let value = 0xffff;
  return {
    get value(): number {
      return value;
    },
    reset(): void {
      value = 0xffff;
    },
    update(bytes: Uint8Array): void {
      for (const byte of bytes) {
        value ^= byte << 8;
        for (let bit = 0; bit < 8; bit++) {
          value = ((value << 1) ^ (value & 0x8000 ? 0x1021 : 0)) & 0xffff;
        }
      }
    },
  };
}
