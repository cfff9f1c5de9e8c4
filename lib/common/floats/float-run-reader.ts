import type { FloatModule } from "./float-module";
import { layout, valueBytes, windowBytes } from "./layout";

/** A number takes less, usual white space included: one that is left this far from a window's end is not cut off by it. */
const reachBytes = 128;
/** Of text for each number: more than they usually are. */
const usualBytes = 32;

/**
 * Reads runs of numbers out of one text, of which a window lies in the module's memory. All threads have a module each, but
 * there is one window to it: a reader is used up before anything else is read or written.
 */
export class FloatRunReader {
  /** Behind the last number that was read. */
  pos = 0;

  private readonly module: FloatModule;
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private start = 0;
  private limit = 0;

  /** @param end Of the text within its bytes. */
  constructor(module: FloatModule, bytes: Uint8Array, end: number) {
    this.module = module;
    this.bytes = bytes;
    this.end = end;
  }

  /**
   * Stores numbers that are separated by commas from `index` on: those that the module can tell exactly, as far as there is
   * room.
   *
   * @returns How many; `pos` then is behind the last of them.
   */
  read(pos: number, data: Float32Array | Float64Array, index: number): number {
    let stored = index;
    this.pos = pos;
    while (stored < data.length) {
      if (this.pos < this.start || this.pos >= this.limit) this.take(data.length - stored);
      let count = this.readWindow(data, stored, stored > index);
      if (count === 0 && this.limit < this.end && this.limit - this.pos < reachBytes) {
        this.take(data.length - stored);
        count = this.readWindow(data, stored, stored > index);
      }
      if (count === 0) break;
      stored += count;
    }
    return stored - index;
  }

  /** Brings the text from `pos` on into the window. */
  private take(elements: number): void {
    const wanted = Math.min(windowBytes, reachBytes + elements * usualBytes);
    this.start = this.pos;
    this.limit = Math.min(this.end, this.pos + wanted);
    this.module.memory.set(this.bytes.subarray(this.start, this.limit), layout.text);
  }

  private readWindow(
    data: Float32Array | Float64Array,
    index: number,
    needsComma: boolean,
  ): number {
    const { module, start, limit } = this;
    const width = data.BYTES_PER_ELEMENT;
    const room = Math.min((data.length - index) * width, valueBytes);
    const read = data instanceof Float32Array ? module.readFloat32 : module.readFloat64;
    const shift = layout.text - start;
    const stop = read(
      this.pos + shift,
      limit + shift,
      layout.values,
      layout.values + room,
      Number(needsComma),
    );
    const count = ((module.second[0] as number) - layout.values) / width;
    if (count === 0) return 0;
    this.pos = stop - shift;
    const values = data instanceof Float32Array ? module.float32Values : module.float64Values;
    data.set(values.subarray(0, count), index);
    return count;
  }
}
