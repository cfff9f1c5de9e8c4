import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAppError } from "@/lib/common/errors";
import {
  type Datatype,
  datatypes,
  fromBfloat16Bits,
  fromFloat16Bits,
  joinMessage,
  parseInferRequest,
  parseInferResponse,
  type Tensor,
  type TensorData,
  writeInferRequest,
  writeInferResponse,
} from ".";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const concat = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** A request with one input whose `data` is the given JSON text. */
const requestText = (datatype: string, shape: string, data: string): string =>
  `{"inputs":[{"name":"x","datatype":"${datatype}","shape":${shape},"data":${data}}]}`;

const parseData = (datatype: string, shape: string, data: string): TensorData =>
  parseInferRequest(encode(requestText(datatype, shape, data))).inputs[0]!.data;

function refusal(run: () => unknown): { reason: string; message: string } {
  try {
    run();
  } catch (error) {
    if (isAppError(error)) return { reason: error.reason, message: error.message };
    throw error;
  }
  throw new Error("was not refused");
}

const views = {
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  FP16: Uint16Array,
  BF16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
  UINT8: Uint8Array,
  BOOL: Uint8Array,
} as const;

/** Random tensors of a datatype, from random bits, so that every bit pattern comes up. */
function tensors(datatype: Datatype): fc.Arbitrary<Tensor> {
  const shape = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 });
  return shape.chain((dimensions) => {
    const count = dimensions.reduce((product, dimension) => product * dimension, 1);
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 });
    const data: fc.Arbitrary<TensorData> =
      datatype === "BYTES"
        ? fc
            .array(fc.string({ unit: "grapheme" }), { minLength: count, maxLength: count })
            .map((texts) => texts.map(encode))
        : fc
            .uint8Array({
              minLength: count * datatypes[datatype].bytes,
              maxLength: count * datatypes[datatype].bytes,
            })
            .map((bytes) =>
              datatype === "BOOL"
                ? bytes.map((byte) => byte & 1)
                : new views[datatype](bytes.slice().buffer, 0, count),
            );
    return fc.record({
      name,
      datatype: fc.constant(datatype),
      shape: fc.constant(dimensions),
      data,
    });
  });
}

/** Values by their bits, all not-a-numbers alike, since JSON has only one. */
function comparable({ datatype, data }: Tensor): unknown {
  if (datatype === "FP16" || datatype === "BF16") {
    const exponent = datatype === "FP16" ? 0x7c00 : 0x7f80;
    return Array.from(data as Uint16Array, (bits) =>
      (bits & exponent) === exponent && (bits & (0x7fff - exponent)) !== 0 ? "NaN" : bits,
    );
  }
  if (datatype === "BYTES") return (data as readonly Uint8Array[]).map(decode);
  return Array.from(data as Float64Array, (value) => (Object.is(value, -0) ? "-0" : value));
}

describe("JSON and binary tensors", () => {
  it.each(Object.keys(datatypes) as Datatype[])("carry %s alike", (datatype) => {
    fc.assert(
      fc.property(tensors(datatype), (tensor) => {
        const answer = { modelName: "m", modelVersion: "1", id: "r", outputs: [tensor] };
        const asJson = writeInferResponse(answer, { outputs: [], binaryOutput: false });
        const asBlobs = writeInferResponse(answer, { outputs: [], binaryOutput: true });
        JSON.parse(asJson.head);
        const [fromJson] = parseInferResponse(encode(asJson.head));
        const [fromBlobs] = parseInferResponse(concat(encode(asBlobs.head), ...asBlobs.blobs), {
          headerLength: encode(asBlobs.head).length,
        });
        for (const read of [fromJson!, fromBlobs!]) {
          expect(read.name).toBe(tensor.name);
          expect(read.shape).toEqual(tensor.shape);
          expect(comparable(read)).toEqual(comparable(tensor));
        }
      }),
      { numRuns: 150 },
    );
  });

  it("mix in one message, blobs in the order of the tensors", () => {
    const head = encode(
      '{"inputs":[{"name":"a","shape":[2],"datatype":"INT16","parameters":{"binary_data_size":4}},' +
        '{"name":"b","shape":[1],"datatype":"FP32","data":[0.5]},' +
        '{"name":"é","shape":[1],"datatype":"UINT8","parameters":{"binary_data_size":1}}]}',
    );
    const { inputs } = parseInferRequest(concat(head, Uint8Array.of(1, 0, 255, 255, 7)), {
      headerLength: head.length,
    });
    expect(inputs.map(({ name, data }) => [name, ...(data as Int16Array)])).toEqual([
      ["a", 1, -1],
      ["b", 0.5],
      ["é", 7],
    ]);
  });

  it("reads an aligned blob without a copy", () => {
    const { head, blobs } = writeInferRequest("r", [
      [{ name: "x", datatype: "FP32", shape: [2], data: Float32Array.of(1, 2) }],
    ]);
    const { body, headerLength } = joinMessage({ head, blobs });
    const { data } = parseInferRequest(body, { headerLength }).inputs[0]!;
    expect((data as Float32Array).buffer).toBe(body.buffer);
    expect([...(data as Float32Array)]).toEqual([1, 2]);
  });
});

describe("data in JSON", () => {
  it.each([
    ["FP32", "[4]", "[1,2,3,4]", [1, 2, 3, 4]],
    ["FP32", "[2,2]", " [ [1 , 2] ,\n[3,4]]", [1, 2, 3, 4]],
    ["FP32", "[]", "7", [7]],
    ["FP32", "[]", "[7]", [7]],
    ["FP32", "[0,4]", "[]", []],
    ["FP32", "[2,0]", "[[],[]]", []],
    ["INT32", "[3]", "[1.0,1e2,-0]", [1, 100, 0]],
    ["INT32", "[1]", "[1200e-2]", [12]],
    ["BOOL", "[4]", "[true,false,0,1]", [1, 0, 0, 1]],
    ["FP64", "[3]", "[5e-324,1.7976931348623157e308,0.1]", [5e-324, Number.MAX_VALUE, 0.1]],
    [
      "FP64",
      "[1]",
      "[0.3000000000000000444089209850062616169452667236328125]",
      [0.30000000000000004],
    ],
    [
      "FP32",
      "[7]",
      '[NaN,Infinity,-Infinity,"NaN","Infinity","-Infinity",null]',
      [NaN, Infinity, -Infinity, NaN, Infinity, -Infinity, NaN],
    ],
    [
      "INT64",
      "[2]",
      "[9223372036854775807,-9223372036854775808]",
      [9223372036854775807n, -9223372036854775808n],
    ],
    [
      "INT64",
      "[2]",
      "[9007199254740993,9.007199254740993e15]",
      [9007199254740993n, 9007199254740993n],
    ],
    ["UINT64", "[1]", "[18446744073709551615]", [18446744073709551615n]],
    ["FP16", "[3]", "[65504,1,1.00048828125]", [0x7bff, 0x3c00, 0x3c00]],
    ["FP16", "[2]", "[1.00146484375,6e-8]", [0x3c02, 1]],
    ["BF16", "[1]", "[1.0]", [0x3f80]],
  ])("%s %s %s is read", (datatype, shape, data, expected) => {
    expect(Array.from(parseData(datatype, shape, data) as Float32Array)).toEqual(expected);
  });

  it("keeps the sign of zero", () => {
    expect(Object.is((parseData("FP32", "[1]", "[-0.0]") as Float32Array)[0], -0)).toBe(true);
  });

  it("reads BYTES as UTF-8, escapes included", () => {
    const data = parseData("BYTES", "[4]", '["é","\\ud83d\\ude00","","a\\u0000b"]');
    expect((data as Uint8Array[]).map((bytes) => bytes.length)).toEqual([2, 4, 0, 3]);
  });

  it("reads data that comes before its datatype and shape, and the last of two equal keys", () => {
    const text =
      '{"inputs":[{"data":[[1,NaN]],"name":"x","shape":[9],"shape":[1,2],"datatype":"FP32"}]}';
    const { shape, data } = parseInferRequest(encode(text)).inputs[0]!;
    expect([shape, Array.from(data as Float32Array)]).toEqual([
      [1, 2],
      [1, NaN],
    ]);
  });

  it("agrees with the platform's parser on any double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const [read] = parseData("FP64", "[1]", `[${value}]`) as Float64Array;
        expect(read).toBe(value === 0 ? Number(String(value)) : value);
      }),
    );
  });

  it.each([
    ["INT8", "[1]", "[128]", /element 0 of input 'x'.*INT8/],
    ["UINT8", "[2]", "[0,-1]", /element 1 of input 'x'.*UINT8/],
    ["UINT64", "[1]", "[18446744073709551616]", /element 0 of input 'x'.*UINT64/],
    ["INT32", "[1]", "[1.5]", /element 0/],
    ["INT64", "[1]", "[1e400]", /element 0/],
    ["INT32", "[1]", '["1"]', /element 0/],
    ["INT32", "[1]", "[true]", /element 0/],
    ["INT32", "[1]", "[NaN]", /element 0/],
    ["BOOL", "[1]", "[2]", /element 0/],
    ["FP16", "[1]", "[65520]", /element 0.*FP16/],
    ["FP32", "[1]", "[3.5e38]", /element 0.*FP32/],
    ["FP64", "[1]", "[1e999]", /element 0.*FP64/],
    ["FP32", "[1]", '["1"]', /element 0/],
    ["FP32", "[1]", "[{}]", /element 0/],
    ["BYTES", "[1]", "[1]", /element 0/],
    ["BYTES", "[1]", '["\\ud800"]', /surrogate/],
    ["FP32", "[3]", "[1,2]", /2 elements.*asks for 3/],
    ["FP32", "[1]", "[1,2]", /2 elements.*asks for 1/],
    ["FP32", "[3]", "[[1],[2,3]]", /unevenly/],
    ["FP32", "[3]", "[[1,2],3]", /unevenly/],
    ["FP32", "[3]", "[1,[2,3]]", /unevenly/],
    ["FP32", "[-1]", "[1]", /non-negative/],
    ["FP32", '["1"]', "[1]", /non-negative/],
    ["FP32", "[1.5]", "[1]", /non-negative/],
    ["FP32", "[9007199254740991,3]", "[1]", /overflows/],
    ["FP32", "[1,1,1,1,1,1,1,1,1]", "[1]", /dimensions/],
    ["STRING", "[1]", '["a"]', /datatype 'STRING'/],
    ["fp32", "[1]", "[1]", /datatype 'fp32'/],
    ["FP32", "[1]", "[01]", /byte 61: a number has a leading zero/],
    ["FP32", "[1]", "[1", /byte/],
    ["FP32", "[1]", "[1.]", /byte/],
    ["FP32", "[1]", `${"[".repeat(100)}1${"]".repeat(100)}`, /deeper than 100/],
  ])("%s %s %s is refused", (datatype, shape, data, message) => {
    const error = refusal(() => parseData(datatype, shape, data));
    expect(error).toEqual({ reason: "INFER_INVALID", message: expect.stringMatching(message) });
  });

  it("refuses more elements than it takes before it makes room for them", () => {
    expect(refusal(() => parseData("FP64", "[67108865]", "[1]")).reason).toBe("BODY_TOO_LARGE");
  });
});

describe("an infer request", () => {
  const good = requestText("FP32", "[1]", "[1]");

  it.each([
    ["", /empty/],
    ["[]", /not an object/],
    ["{", /byte 1/],
    ["{}", /no 'inputs'/],
    ['{"inputs":{}}', /must be an array/],
    ['{"inputs":[]}', /empty/],
    ['{"inputs":[1]}', /input 0 is not an object/],
    [`${good} x`, /text after the end/],
    [`\ufeff${good}`, /byte order mark/],
    [good.replace("}]", ",}]"), /expected a string/],
    [good.replace('"name":"x"', '"name":"\u0001"'), /control character/],
    [good.replace('"name":"x",', ""), /no name/],
    [good.replace('"data":[1]', '"data":null'), /neither data nor/],
    [good.replace('"data":[1]', '"data":[1],"parameters":{"binary_data_size":4}'), /both data and/],
    [good.replace('"data":[1]', '"parameters":{"binary_data_size":4}'), /no Inference-Header/],
    [good.replace('"inputs"', '"parameters":{"a":{}},"inputs"'), /neither a bool/],
    [good.replace('"inputs"', '"parameters":[],"inputs"'), /not an object/],
    [good.replace('"inputs"', '"outputs":[{"name":"y"},{"name":"y"}],"inputs"'), /more than once/],
    [`{"a":${"[".repeat(100)}${"]".repeat(100)},${good.slice(1)}`, /deeper than 100/],
  ])("is refused as %s", (text, message) => {
    const error = refusal(() => parseInferRequest(encode(text)));
    expect(error).toEqual({ reason: "INFER_INVALID", message: expect.stringMatching(message) });
  });

  it.each([
    ["inputs", /^more than 64 inputs/],
    ["outputs", /^more than 64 outputs/],
  ])("may name 64 %s, and not one more", (what, message) => {
    const named = (count: number) => {
      const tensors = Array.from({ length: count }, (_, i) =>
        what === "inputs"
          ? `{"name":"x${i}","datatype":"FP32","shape":[1],"data":[1]}`
          : `{"name":"y${i}"}`,
      );
      const [{ length }, list] = [tensors, `"${what}":[${tensors}]`];
      expect(length).toBe(count);
      return encode(what === "inputs" ? `{${list}}` : good.replace("{", `{${list},`));
    };
    expect(parseInferRequest(named(64))).toMatchObject({ [what]: { length: 64 } });
    expect(refusal(() => parseInferRequest(named(65)))).toEqual({
      reason: "INFER_INVALID",
      message: expect.stringMatching(message),
    });
  });

  it("is refused when it is not UTF-8", () => {
    const body = Buffer.from(good.replace('"x"', '"?"'));
    body[body.indexOf("?")] = 0xff;
    expect(refusal(() => parseInferRequest(body)).message).toMatch(/not UTF-8/);
  });

  it("ignores what it does not know", () => {
    const text = good.replace('{"inputs"', '{"model_name":"other","z":[{"a":"\\n"},null],"inputs"');
    expect(parseInferRequest(encode(text)).inputs).toHaveLength(1);
  });

  it("keeps id, parameters and requested outputs", () => {
    const text = good.replace(
      '{"inputs"',
      '{"id":"Ω\\u00e9","parameters":{"n":9007199254740993,"f":0.5,"s":"t","b":true,"binary_data_output":true},' +
        '"outputs":[{"name":"y","parameters":{"binary_data":false}},{"name":"z"}],"inputs"',
    );
    const request = parseInferRequest(encode(text));
    expect(request.id).toBe("Ωé");
    expect(Object.fromEntries(request.parameters)).toEqual({
      n: 9007199254740993n,
      f: 0.5,
      s: "t",
      b: true,
      binary_data_output: true,
    });
    expect(request.outputs).toEqual([
      { name: "y", binary: false },
      { name: "z", binary: undefined },
    ]);
    expect(request.binaryOutput).toBe(true);
  });

  it.each([
    [3, /expecting 1 additional bytes/],
    [5, /1 bytes after the last tensor/],
  ])("is refused with %i of 4 bytes", (length, message) => {
    const head = encode(good.replace('"data":[1]', '"parameters":{"binary_data_size":4}'));
    const body = concat(head, new Uint8Array(length));
    const error = refusal(() => parseInferRequest(body, { headerLength: head.length }));
    expect(error.message).toMatch(message);
  });

  it("takes an empty binary tensor without the length header, also beside null data", () => {
    const text = good
      .replace("[1]", "[0]")
      .replace('"data":[1]', '"data":null,"parameters":{"binary_data_size":0}');
    expect(parseInferRequest(encode(text)).inputs[0]!.data).toHaveLength(0);
  });

  it.each([
    [[5, 0, 0, 0, 1], /past the end/],
    [[1, 0], /cut off/],
    [[0, 0, 0, 0, 0, 0, 0, 0], /more than the 1/],
  ])("is refused with broken BYTES %j", (bytes, message) => {
    const head = encode(
      `{"inputs":[{"name":"x","datatype":"BYTES","shape":[1],"parameters":{"binary_data_size":${bytes.length}}}]}`,
    );
    const body = concat(head, Uint8Array.from(bytes));
    const error = refusal(() => parseInferRequest(body, { headerLength: head.length }));
    expect(error.message).toMatch(message);
  });

  it("never fails in another way than by an AppError, whatever byte is changed", () => {
    const bytes = encode(requestText("FP32", "[2,2]", '[[1.5e1,-2],["NaN",null]]'));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (index, byte) => {
        const mutated = bytes.slice();
        mutated[index] = byte;
        try {
          parseInferRequest(mutated);
        } catch (error) {
          expect(isAppError(error)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("an infer answer", () => {
  const tensor = (name: string, datatype: Datatype, data: TensorData): Tensor => ({
    name,
    datatype,
    shape: [data.length],
    data,
  });
  const answer = (...outputs: Tensor[]) => ({
    modelName: "m",
    modelVersion: "1",
    id: "r",
    outputs,
  });
  const all = { outputs: [], binaryOutput: false };

  it("prints the shortest text that reads back", () => {
    const { head } = writeInferResponse(
      answer(
        tensor("a", "FP32", Float32Array.of(0.1, 16777216, 1e-45, 3.4028235e38, -0, 1 / 3, 1e10)),
        tensor("b", "FP64", Float64Array.of(0.1, 1e21)),
        tensor("c", "FP16", Uint16Array.of(0x3c00, 0x2e66, 0x7c00)),
        tensor("d", "INT64", BigInt64Array.of(-9223372036854775808n)),
      ),
      all,
    );
    expect(head.match(/"data":\[[^\]]*\]/g)).toEqual([
      '"data":[0.1,16777216,1e-45,3.4028235e+38,-0.0,0.33333334,10000000000]',
      '"data":[0.1,1e+21]',
      '"data":[1,0.0999755859375,"Infinity"]',
      '"data":[-9223372036854775808]',
    ]);
  });

  it.each(["FP16", "BF16"] as const)("prints every finite %s as its exact double", (datatype) => {
    const read = datatype === "FP16" ? fromFloat16Bits : fromBfloat16Bits;
    const data = Uint16Array.from({ length: 65_536 }, (_, bits) => bits);
    const { head } = writeInferResponse(answer(tensor("a", datatype, data)), all);
    const printed: unknown[] = JSON.parse(head).outputs[0].data;
    const wrong = [...data].filter((bits) => {
      const value = read(bits);
      return Number.isFinite(value) && !Object.is(printed[bits], value);
    });
    expect(wrong).toEqual([]);
  });

  it("follows the selection: order, form, and JSON where a listed output says nothing", () => {
    const { head, blobs } = writeInferResponse(
      answer(tensor("a", "INT8", Int8Array.of(1)), tensor("b", "INT8", Int8Array.of(2))),
      {
        outputs: [
          { name: "b", binary: true },
          { name: "a", binary: undefined },
        ],
        binaryOutput: true,
      },
    );
    expect(JSON.parse(head)).toEqual({
      model_name: "m",
      model_version: "1",
      id: "r",
      outputs: [
        { name: "b", shape: [1], datatype: "INT8", parameters: { binary_data_size: 1 } },
        { name: "a", shape: [1], datatype: "INT8", data: [1] },
      ],
    });
    expect(blobs).toEqual([Uint8Array.of(2)]);
  });

  it("refuses BYTES that are no text, unless as a blob", () => {
    const bytes = answer(tensor("a", "BYTES", [Uint8Array.of(0xff)]));
    expect(refusal(() => writeInferResponse(bytes, all)).message).toMatch(/binary_data/);
    expect(writeInferResponse(bytes, { outputs: [], binaryOutput: true }).blobs).toEqual([
      Uint8Array.of(1, 0, 0, 0, 255),
    ]);
  });
});
