import { describe, expect, it } from "vitest";
import { readRows } from ".";

interface Npy {
  readonly descr?: string;
  readonly fortran?: boolean;
  readonly shape?: string;
  readonly version?: number;
  readonly data: ArrayBufferView;
}

/** A file as `numpy.save` lays it out: magic, version, length of the header, header, numbers. */
function npy({ descr = "'<f4'", fortran = false, shape = "(2, 2)", version = 1, data }: Npy) {
  const text = `{'descr': ${descr}, 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${shape}, }`;
  const before = version === 1 ? 10 : 12;
  const header = `${text.padEnd(127 - before)}\n`;
  const head = new Uint8Array(before);
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const view = new DataView(head.buffer);
  if (version === 1) view.setUint16(8, header.length, true);
  else view.setUint32(8, header.length, true);
  return Buffer.concat([
    head,
    Buffer.from(header),
    Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength),
  ]);
}

const four = Float32Array.of(1, 2, 3, 4);
const valuesOf = (bytes: Uint8Array, width = 2) => [...readRows(bytes, width, "x.npy").rows.values];

describe("rows of an .npy file", () => {
  it.each([1, 2, 3])("are read from version %i of the format", (version) => {
    expect(valuesOf(npy({ version, data: four }))).toEqual([1, 2, 3, 4]);
  });

  it("are read from big-endian numbers", () => {
    const data = new DataView(new ArrayBuffer(32));
    for (const at of [0, 1, 2, 3]) data.setFloat64(at * 8, at + 1, false);
    expect(valuesOf(npy({ descr: "'>f8'", data }))).toEqual([1, 2, 3, 4]);
  });

  it("are read from Fortran order, pictures too", () => {
    expect(valuesOf(npy({ fortran: true, data: Float32Array.of(1, 3, 2, 4) }))).toEqual([
      1, 2, 3, 4,
    ]);
    // X[i, j, k] = 100 i + 10 j + k of shape (2, 2, 2), its first axis fastest.
    const data = Int16Array.of(0, 100, 10, 110, 1, 101, 11, 111);
    const bytes = npy({ descr: "'<i2'", fortran: true, shape: "(2, 2, 2)", data });
    expect(valuesOf(bytes, 4)).toEqual([0, 1, 10, 11, 100, 101, 110, 111]);
  });

  it.each([
    ["'<i8'", BigInt64Array.of(1n, -2n, 3n, 4n), [1, -2, 3, 4]],
    ["'|u1'", Uint8Array.of(1, 2, 3, 255), [1, 2, 3, 255]],
    ["'<f2'", Uint16Array.of(0x3c00, 0xc000, 0, 0x3800), [1, -2, 0, 0.5]],
  ])("are read from %s", (descr, data, values) => {
    expect(valuesOf(npy({ descr, data }))).toEqual(values);
  });

  it("take a last column beyond the inputs for labels", () => {
    const { rows, understood } = readRows(npy({ data: four }), 1, "x.npy");
    expect([...(rows.labels ?? [])]).toEqual([2, 4]);
    expect(understood).toBe("npy: 2 rows of 1 inputs, labels in the last column.");
  });

  it.each([
    ["objects", npy({ descr: "'|O'", data: four }), "pickled code and are never opened"],
    ["records", npy({ descr: "[('a', '<f4')]", data: four }), "records with named fields"],
    ["texts", npy({ descr: "'<U8'", data: four }), "values of type <U8"],
    ["one axis", npy({ shape: "(4,)", data: four }), "one axis"],
    ["a cut end", npy({ data: four }).subarray(0, -4), "ends after 12 bytes"],
    ["too many columns", npy({ shape: "(1, 4)", data: four }), "4 columns where the model takes 2"],
    ["NaN", npy({ data: Float32Array.of(1, 2, 3, Number.NaN) }), "NaN in row 1, column 1"],
    ["a later version", npy({ version: 9, data: four }), "version 9"],
    ["a broken header", npy({ shape: "(2, x)", data: four }), "header"],
    ["half a header", npy({ data: four }).subarray(0, 20), "header"],
    ["a shape of 10^18 rows", npy({ shape: "(1000000000000000000, 2)", data: four }), ""],
  ])("with %s are refused", (_, bytes, words) => {
    expect(() => readRows(bytes, 2, "x.npy")).toThrow(
      expect.objectContaining({
        reason: "ROWS_INVALID",
        message: expect.stringContaining(words),
      }),
    );
  });
});
