import type { Datatype } from "./datatypes";
import { floatRuns } from "./float-run";
import { type JsonScanner, maxDepth } from "./json-scanner";
import { makeSink } from "./make-sink";
import { invalid } from "./shape";
import type { TensorData } from "./tensor";

/** What a list of JSON elements must hold. */
export interface ElementsRequest {
  readonly datatype: Datatype;
  /** Elements expected; more are counted, not stored. */
  readonly count: number;
  /** How errors name the tensor: `input 'x'`. */
  readonly label: string;
}

/**
 * Reads the `data` of a tensor, flat or nested, straight into a typed array.
 *
 * @returns The array, `count` long.
 * @throws {AppError} `INFER_INVALID` for an element of the wrong kind or range, ragged nesting, or another count.
 */
export function readElements(
  scanner: JsonScanner,
  depth: number,
  request: ElementsRequest,
): TensorData {
  const { datatype, count, label } = request;
  scanner.counter.list(count, label);
  if (datatype === "BYTES") scanner.counter.addStrings(count, label);
  // Each element but the last takes two bytes at least, so a false shape cannot make us allocate more than it sent.
  const capacity = Math.min(count, Math.ceil((scanner.end - scanner.pos + 1) / 2));
  const sink = makeSink({ scanner, datatype, label }, capacity);
  const readRun = floatRuns(scanner, sink.data);
  const lengths: number[] = [];
  const counts: number[] = [];
  let leafLevel = -1;
  let read = 0;
  let level = 0;

  const close = (): void => {
    const length = counts[level] as number;
    const known = lengths[level];
    if (known === undefined) lengths[level] = length;
    else if (known !== length) throw ragged(label, read);
    level--;
  };

  for (;;) {
    if (scanner.peek() === 0x5b) {
      if (leafLevel !== -1 && level >= leafLevel) throw ragged(label, read);
      level++;
      if (depth + level - 1 > maxDepth) {
        throw scanner.error(`nesting is deeper than ${maxDepth} levels`);
      }
      scanner.pos++;
      counts[level] = 0;
      if (scanner.peek() !== 0x5d) continue;
      scanner.pos++;
      close();
    } else {
      if (leafLevel === -1) leafLevel = level;
      else if (leafLevel !== level) throw ragged(label, read);
      // Most of a large tensor is plain numbers in a row; what is not is read one by one.
      const run = level > 0 ? readRun(read) : 0;
      if (run > 0) {
        read += run;
        counts[level] = (counts[level] as number) + run - 1;
      } else {
        if (read < capacity) sink.store(read);
        else scanner.skipValue(depth + level);
        read++;
        scanner.tick();
      }
    }
    // After a value: the next element, or the ends of one or more arrays.
    for (;;) {
      if (level === 0) {
        if (read === count) return sink.data;
        throw invalid(`${label} has ${read} elements in its data, its shape asks for ${count}`);
      }
      counts[level] = (counts[level] as number) + 1;
      const next = scanner.peek();
      if (next === 0x2c) {
        scanner.pos++;
        break;
      }
      if (next !== 0x5d) throw scanner.error("expected ',' or ']'");
      scanner.pos++;
      close();
    }
  }
}

const ragged = (label: string, index: number) =>
  invalid(`the data of ${label} is nested unevenly at element ${index}`);
