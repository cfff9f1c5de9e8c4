import { type ElementSource, type Sink, wrongElement } from "./sink";

/** Stores strings as their UTF-8 bytes. */
export function bytesSink(source: ElementSource): Sink {
  const { scanner } = source;
  const data: Uint8Array[] = [];
  const store = (index: number): void => {
    if (scanner.peek() !== 0x22) {
      throw wrongElement(source, index, "expected a string for BYTES");
    }
    data.push(scanner.readStringBytes());
  };
  return { data, store };
}
