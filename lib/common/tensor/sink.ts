import type { AppError } from "@/lib/common/errors";
import type { Datatype } from "./datatypes";
import type { JsonScanner } from "./json-scanner";
import { invalid } from "./shape";
import type { TensorData } from "./tensor";

/** Stores elements, one call each, in order. */
export interface Sink {
  readonly data: TensorData;
  /** Reads the element that comes next and stores it at `index`. */
  store(index: number): void;
}

/** Where elements come from, of what kind they are, and how errors name their tensor. */
export interface ElementSource {
  readonly scanner: JsonScanner;
  readonly datatype: Datatype;
  readonly label: string;
}

/** An element that the datatype cannot hold. */
export const wrongElement = ({ label }: ElementSource, index: number, why: string): AppError =>
  invalid(`element ${index} of ${label}: ${why}`);

/** The number just read lies outside of what the datatype holds. */
export const outOfRange = (source: ElementSource, index: number): AppError =>
  wrongElement(source, index, `${source.scanner.token()} is out of range for ${source.datatype}`);

/** Whether a JSON number can begin with this byte. */
export const beginsNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
