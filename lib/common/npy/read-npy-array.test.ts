import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { readNpyArray } from ".";

const refuse = (what: string) => fail("ROWS_INVALID", what);
const read = (bytes: Uint8Array) => readNpyArray(bytes, refuse);

interface Npy {
  readonly descr: string;
  readonly fortran?: boolean;
  readonly shape: string;
  readonly version?: number;
  readonly data: Uint8Array;
}

/** A file as `numpy.save` lays it out. */
function npy({ descr, fortran = false, shape, version = 1, data }: Npy): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${shape}, }`;
  const before = version === 1 ? 10 : 12;
  const header = `${text.padEnd(127 - before)}\n`;
  const head = new Uint8Array(before);
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(head.buffer);
  if (version === 1) view.setUint16(8, header.length, true);
  else view.setUint32(8, header.length, true);
  return Buffer.concat([head, Buffer.from(header), data]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

describe("an array of a .npy file", () => {
  it.each([1, 2, 3])("keeps every digit of 64-bit integers, version %i", (version) => {
    const data = bytesOf(BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n), 9_007_199_254_740_993n));
    expect(read(npy({ descr: "<i8", shape: "(3,)", version, data }))).toEqual({
      datatype: "INT64",
      shape: [3],
      data: BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n), 9_007_199_254_740_993n),
    });
  });

  it.each([
    ["|b1", Uint8Array.of(0, 1, 7, 0), "BOOL", [0, 1, 1, 0]],
    ["|u1", Uint8Array.of(0, 255), "UINT8", [0, 255]],
    ["|i1", Uint8Array.of(0, 255), "INT8", [0, -1]],
    ["<u2", bytesOf(Uint16Array.of(65_535)), "UINT16", [65_535]],
    ["<f2", bytesOf(Uint16Array.of(0x3c00)), "FP16", [0x3c00]],
    ["<V2", bytesOf(Uint16Array.of(0x3f80)), "BF16", [0x3f80]],
    ["<f4", bytesOf(Float32Array.of(1.5, Number.NaN)), "FP32", [1.5, Number.NaN]],
    ["<f8", bytesOf(Float64Array.of(1e300)), "FP64", [1e300]],
  ])("of %s has its own datatype", (descr, data, datatype, values) => {
    const array = read(npy({ descr, shape: `(${values.length},)`, data }));
    expect(array.datatype).toBe(datatype);
    expect([...(array.data as Iterable<number>)]).toEqual(values);
  });

  it("of texts has their bytes, without the zeros that fill them up", () => {
    const utf32 = bytesOf(Uint32Array.of(0x61, 0x1f600, 0, 0xe8, 0, 0));
    const texts = ({ data }: ReturnType<typeof read>) =>
      (data as readonly Uint8Array[]).map((each) => Buffer.from(each).toString());
    expect(texts(read(npy({ descr: "<U3", shape: "(2,)", data: utf32 })))).toEqual(["a😀", "è"]);
    const plain = Buffer.from("abc\0\0x\0\0\0\0");
    expect(texts(read(npy({ descr: "|S5", shape: "(2,)", data: plain })))).toEqual(["abc", "x"]);
  });

  it("is the same in either byte order and either order of axes", () => {
    const axes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(axes, fc.boolean(), fc.boolean(), (shape, fortran, big) => {
        const count = shape.reduce((product, size) => product * size, 1);
        const values = Int32Array.from({ length: count }, (_, at) => at * 70_001 - 9);
        const file = new DataView(new ArrayBuffer(4 * count));
        for (let at = 0; at < count; at++) {
          let rest = at;
          let place = 0;
          for (let axis = shape.length - 1; axis >= 0; axis--) {
            const stride = shape.slice(0, axis).reduce((product, size) => product * size, 1);
            place += (rest % (shape[axis] ?? 1)) * stride;
            rest = Math.floor(rest / (shape[axis] ?? 1));
          }
          file.setInt32(4 * (fortran ? place : at), values[at] ?? 0, !big);
        }
        const bytes = npy({
          descr: big ? ">i4" : "<i4",
          fortran,
          shape: `(${shape.join(", ")},)`,
          data: bytesOf(file),
        });
        expect(read(bytes)).toEqual({ datatype: "INT32", shape, data: values });
      }),
    );
  });

  it.each([
    [
      "a size beyond exact numbers",
      npy({ descr: "<f4", shape: "(1000000000000000000,)", data: new Uint8Array(8) }),
      "header",
    ],
    [
      "a product beyond every number",
      npy({
        descr: "<f4",
        shape: "(9007199254740991, 9007199254740991, 9007199254740991)",
        data: new Uint8Array(8),
      }),
      "announces",
    ],
    [
      "10^15 texts of no length",
      npy({ descr: "|S0", shape: "(1000000000000000,)", data: new Uint8Array(0) }),
      "empty texts",
    ],
    [
      "a size that is no number",
      npy({ descr: "<f4", shape: "(1e3,)", data: new Uint8Array(8) }),
      "header",
    ],
    [
      "100 axes",
      npy({ descr: "<f4", shape: `(${"1,".repeat(100)})`, data: new Uint8Array(4) }),
      "header",
    ],
    ["dates", npy({ descr: "<M8[s]", shape: "(1,)", data: new Uint8Array(8) }), "type <M8[s]"],
    ["pickles", npy({ descr: "|O", shape: "(1,)", data: new Uint8Array(8) }), "never opened"],
    [
      "code points beyond Unicode",
      npy({ descr: "<U1", shape: "(1,)", data: bytesOf(Uint32Array.of(0x110000)) }),
      "Unicode",
    ],
    [
      "less than it announces",
      npy({ descr: "<f4", shape: "(3,)", data: new Uint8Array(8) }),
      "ends after 8 bytes",
    ],
    [
      "more than it announces",
      npy({ descr: "<f4", shape: "(1,)", data: new Uint8Array(8) }),
      "announces 4",
    ],
    ["another beginning", new Uint8Array(100), "header"],
  ])("is refused with %s", (_, bytes, words) => {
    expect(() => read(bytes)).toThrow(
      expect.objectContaining({ reason: "ROWS_INVALID", message: expect.stringContaining(words) }),
    );
  });

  it("is refused by a sentence whatever its bytes are", () => {
    const start = npy({ descr: "<f4", shape: "(2,)", data: new Uint8Array(8) });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(start.length - 1), fc.nat(255)), { maxLength: 6 }),
        (changes) => {
          const bytes = Uint8Array.from(start);
          for (const [at, byte] of changes) bytes[at] = byte;
          try {
            read(bytes);
          } catch (error) {
            expect(error).toMatchObject({ reason: "ROWS_INVALID" });
          }
        },
      ),
    );
  });
});
