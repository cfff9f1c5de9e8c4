import { beginsNumber, type ElementSource, type Sink, wrongElement } from "./sink";

/** Stores true and false, or 1 and 0, as a byte each. */
export function boolSink(source: ElementSource, data: Uint8Array): Sink {
  const { scanner } = source;
  const wrong = (index: number) =>
    wrongElement(source, index, "expected true, false, 0 or 1 for BOOL");
  const store = (index: number): void => {
    if (scanner.acceptWord("true")) data[index] = 1;
    else if (scanner.acceptWord("false")) data[index] = 0;
    else {
      if (!beginsNumber(scanner.peek())) throw wrong(index);
      const value = scanner.readNumber();
      if (value !== 0 && value !== 1) throw wrong(index);
      data[index] = value;
    }
  };
  return { data, store };
}
