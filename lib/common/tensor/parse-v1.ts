import { isAppError } from "@/lib/common/errors";
import { readElements } from "./elements";
import { JsonScanner } from "./json-scanner";
import { elementCount, invalid, tensorLimits } from "./shape";
import type { Tensor, TensorSpec } from "./tensor";

const open = 0x5b;
const brace = 0x7b;
const quote = 0x22;

/** The values of one input: one list, or an element for each row. */
interface Column {
  readonly isList: boolean;
  readonly extents: readonly Extent[];
}

/** A value's place in the body. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the body of a V1 predict request: `instances`, row by row, or `inputs`, column by column. Shapes follow from the
 * nesting, datatypes from the model; numbers are read with the same rules as V2's.
 *
 * @throws {AppError} `INFER_INVALID`
 */
export function parseV1Request(body: Uint8Array, specs: readonly TensorSpec[]): readonly Tensor[] {
  const scanner = new JsonScanner(body);
  let columns: ReadonlyMap<string, Column> | null = null;
  try {
    if (scanner.peek() !== brace) throw scanner.error("the body is not an object");
    scanner.readObject(1, (key, depth) => {
      if (key === "instances") columns = readInstances(scanner, depth, specs);
      else if (key === "inputs") columns ??= readColumns(scanner, depth, specs);
      else scanner.skipValue(depth);
    });
    if (scanner.peek() !== -1) throw scanner.error("text after the end of the JSON");
  } catch (error) {
    if (!isAppError(error) || error.message.startsWith("Expected")) throw error;
    throw invalid(`Unrecognized request format: ${error.message}`);
  }
  if (columns === null) throw invalid('Expected "instances" or "inputs" in the request');
  return [...(columns as ReadonlyMap<string, Column>)].map(([name, column]) => {
    const spec = specs.find((each) => each.name === name);
    if (!spec) throw invalid(`unexpected inference input '${name}'`);
    return readTensor(bytesOf(body, column), spec);
  });
}

/** Rows: bare values for a model of one input, objects for several. */
function readInstances(
  scanner: JsonScanner,
  depth: number,
  specs: readonly TensorSpec[],
): ReadonlyMap<string, Column> {
  const first = scanner.peek();
  if (first === -1) throw scanner.error("the text ends early");
  if (first !== open) throw invalid('Expected "instances" to be a list');
  const whole = scanner.pos;
  const byName = new Map<string, Extent[]>();
  let rows = 0;
  let objects = 0;
  scanner.readArray(depth, (index, inner) => {
    rows++;
    if (scanner.peek() !== brace || isBase64(scanner)) {
      scanner.skipValue(inner);
      return;
    }
    objects++;
    scanner.readObject(inner, (name, deeper) => {
      let extents = byName.get(name);
      if (!extents) byName.set(name, (extents = []));
      if (extents.length !== index)
        throw invalid(`instance ${index} has not the keys of the others`);
      scanner.peek();
      const start = scanner.pos;
      scanner.skipValue(deeper);
      extents.push({ start, end: scanner.pos });
    });
  });
  if (rows === 0) throw invalid('Expected "instances" to be a list of at least one instance');
  if (objects > 0) {
    for (const [name, extents] of byName) {
      if (extents.length !== rows) throw invalid(`not every instance has the key '${name}'`);
    }
    return new Map([...byName].map(([name, extents]) => [name, { isList: false, extents }]));
  }
  const extents = [{ start: whole, end: scanner.pos }];
  return new Map([[onlyInput(specs), { isList: true, extents }]]);
}

/** Columns: a list for a model of one input, an object of lists for several. */
function readColumns(
  scanner: JsonScanner,
  depth: number,
  specs: readonly TensorSpec[],
): ReadonlyMap<string, Column> {
  const list = (inner: number): Column => {
    if (scanner.peek() !== open) throw invalid('Expected "inputs" to be a list');
    const start = scanner.pos;
    scanner.skipValue(inner);
    return { isList: true, extents: [{ start, end: scanner.pos }] };
  };
  if (scanner.peek() !== brace) return new Map([[onlyInput(specs), list(depth)]]);
  const columns = new Map<string, Column>();
  scanner.readObject(depth, (name, inner) => {
    columns.set(name, list(inner));
  });
  return columns;
}

function onlyInput(specs: readonly TensorSpec[]): string {
  const [spec] = specs;
  if (spec && specs.length === 1) return spec.name;
  const names = specs.map(({ name }) => `'${name}'`).join(", ");
  throw invalid(
    `the model has the inputs ${names}: give each instance as an object with these keys`,
  );
}

/** One column as JSON of its own. */
function bytesOf(body: Uint8Array, { isList, extents }: Column): Uint8Array {
  const [only] = extents;
  if (only && isList) return body.subarray(only.start, only.end);
  const size = extents.reduce((sum, { start, end }) => sum + end - start + 1, 1);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const { start, end } of extents) {
    bytes[at++] = at === 1 ? open : 0x2c;
    bytes.set(body.subarray(start, end), at);
    at += end - start;
  }
  bytes[at] = 0x5d;
  return bytes;
}

function readTensor(bytes: Uint8Array, { name, datatype, shape: declared }: TensorSpec): Tensor {
  const label = `input '${name}'`;
  const nested = shapeOf(bytes);
  // A column of numbers is a matrix of one column where the model wants that.
  const shape =
    nested.length === declared.length - 1 && declared.at(-1) === 1 ? [...nested, 1] : nested;
  const scanner = new JsonScanner(bytes);
  const count = elementCount(shape, label);
  if (datatype === "BYTES") scanner.counter.addStrings(count, label);
  const data =
    datatype === "BYTES"
      ? readByteStrings(scanner, label)
      : readElements(scanner, 1, { datatype, count, label });
  if (data.length !== count) throw invalid(`${label} has rows of different shapes`);
  return { name, datatype, shape, data };
}

/** The lengths along the first element of each level. */
function shapeOf(bytes: Uint8Array): number[] {
  const shape: number[] = [];
  let start = 0;
  for (;;) {
    const scanner = new JsonScanner(bytes, start);
    if (scanner.peek() !== open) return shape;
    let length = 0;
    scanner.readArray(shape.length + 1, (index, depth) => {
      if (index === 0) {
        scanner.peek();
        start = scanner.pos;
      }
      length++;
      skip(scanner, depth);
    });
    shape.push(length);
    if (shape.length > tensorLimits.dimensions) {
      throw invalid(`the values are nested deeper than ${tensorLimits.dimensions} levels`);
    }
    if (length === 0) return shape;
  }
}

function skip(scanner: JsonScanner, depth: number): void {
  if (!["NaN", "Infinity", "-Infinity"].some((word) => scanner.acceptWord(word))) {
    scanner.skipValue(depth);
  }
}

const encoder = new TextEncoder();

/** Strings, and `{"b64": …}` for bytes that are no text. */
function readByteStrings(scanner: JsonScanner, label: string): Uint8Array[] {
  const list: Uint8Array[] = [];
  const read = (depth: number): void => {
    const first = scanner.peek();
    if (first === open) {
      scanner.readArray(depth, (_, inner) => read(inner));
      return;
    }
    if (first === quote) {
      list.push(scanner.readStringBytes().slice());
      return;
    }
    if (first !== brace) throw invalid(`element ${list.length} of ${label} is not a string`);
    scanner.readObject(depth, (key) => {
      if (key !== "b64" || scanner.peek() !== quote) {
        throw invalid(`element ${list.length} of ${label} is an object, but not {"b64": text}`);
      }
      list.push(fromBase64(scanner.readString(), label));
    });
  };
  read(1);
  return list;
}

function fromBase64(text: string, label: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw invalid(`${label} has a "b64" that is not base64`);
  }
}

const b64Start = encoder.encode('{"b64"');

function isBase64({ bytes, pos }: JsonScanner): boolean {
  let at = pos;
  return b64Start.every((wanted) => {
    while (bytes[at] === 0x20 && wanted !== 0x20) at++;
    return bytes[at++] === wanted;
  });
}
