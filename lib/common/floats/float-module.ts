import { encodeModule } from "@/lib/common/wasm";
import { layout, valueBytes } from "./layout";
import { readerCode } from "./reader-code";
import { scaleCode } from "./scale-code";
import { float32Scales, widePowers } from "./tables";
import { writerCode } from "./writer-code";

/** The functions of the module; addresses are bytes of its memory, which `layout` divides. */
export interface FloatModule {
  readonly memory: Uint8Array<ArrayBuffer>;
  /** The elements in it, as either type; and where the functions that read left their second answer. */
  readonly float32Values: Float32Array<ArrayBuffer>;
  readonly float64Values: Float64Array<ArrayBuffer>;
  readonly second: Uint32Array<ArrayBuffer>;
  /** See `readerCode`. */
  readonly readFloat32: (...parameters: readonly number[]) => number;
  readonly readFloat64: (...parameters: readonly number[]) => number;
  /** See `writerCode`. */
  readonly writeFloat32: (from: number, to: number, out: number) => number;
}

let found: FloatModule | null | undefined;

/** The module, made on first use in some milliseconds; null where there can be none. */
export function findFloatModule(): FloatModule | null {
  if (found === undefined) found = isPage() ? null : makeModule();
  return found;
}

/** The policy of our pages forbids WebAssembly to all but workers; to try would be a breach that browsers report. */
const isPage = (): boolean => "document" in globalThis;

function makeModule(): FloatModule | null {
  const bytes = encodeModule({
    functions: [scaleCode(), readerCode("f32", 0), readerCode("f64", 0), writerCode()],
    exports: { readFloat32: 1, readFloat64: 2, writeFloat32: 3 },
    memoryPages: layout.pages,
  });
  try {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
    const { memory, ...functions } = instance.exports;
    const buffer = (memory as WebAssembly.Memory).buffer as ArrayBuffer;
    fillTables(buffer);
    return {
      ...(functions as unknown as Pick<
        FloatModule,
        "readFloat32" | "readFloat64" | "writeFloat32"
      >),
      memory: new Uint8Array(buffer),
      float32Values: new Float32Array(buffer, layout.values, valueBytes / 4),
      float64Values: new Float64Array(buffer, layout.values, valueBytes / 8),
      second: new Uint32Array(buffer, layout.second, 1),
    };
  } catch {
    // No WebAssembly here, or none with vectors.
    return null;
  }
}

function fillTables(buffer: ArrayBuffer): void {
  const integers = new BigUint64Array(buffer, layout.integerPowers, 20);
  const doubles = new Float64Array(buffer, layout.doublePowers, 23);
  integers.set(Array.from(integers, (_, exponent) => 10n ** BigInt(exponent)));
  doubles.set(Array.from(doubles, (_, exponent) => Number(`1e${exponent}`)));
  const bytes = new Uint8Array(buffer);
  bytes.fill(0xff, layout.lastBytes + 16, layout.lastBytes + 32);
  bytes.set(float32Scales(), layout.float32Scales);
  bytes.set(new Uint8Array(widePowers().buffer), layout.widePowers);
}
