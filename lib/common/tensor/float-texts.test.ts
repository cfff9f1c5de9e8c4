import { describe, expect, it } from "vitest";
import { randomFrom } from "@/compiler/random";
import {
  fromFloat16Bits,
  parseInferRequest,
  SlowText,
  type Tensor,
  writeInferBody,
  writeInferResponse,
} from ".";

const all = { outputs: [], binaryOutput: false };
const responseOf = (tensor: Tensor) => ({
  modelName: "m",
  modelVersion: "1",
  id: "é",
  outputs: [tensor],
});
const tensorOf = (datatype: Tensor["datatype"], data: Float32Array | Uint16Array): Tensor => ({
  name: "x",
  datatype,
  shape: [data.length],
  data,
});
const dataOf = (head: string): string => /"data":\[(.*)\]\}\]\}$/.exec(head)?.[1] ?? "";

/** The data of a tensor of one dimension, as it is read from its text. */
function read(
  datatype: Tensor["datatype"],
  count: number,
  text: string,
): Float32Array | Uint16Array {
  const body = `{"inputs":[{"name":"x","datatype":"${datatype}","shape":[${count}],"data":[${text}]}]}`;
  return parseInferRequest(new TextEncoder().encode(body)).inputs[0]?.data as Float32Array;
}

/** Where two lists differ, zeros by their sign too. */
const differences = (found: ArrayLike<number>, wanted: ArrayLike<number>): number[] =>
  Array.from(wanted, (_, index) => index).filter(
    (index) => !Object.is(found[index], wanted[index]),
  );

describe("long lists of floats", () => {
  it("carry every finite float16 both ways, as FP16 and as FP32", () => {
    const bits = Uint16Array.from({ length: 65_536 }, (_, index) => index).filter(
      (index) => (index & 0x7c00) !== 0x7c00,
    );
    const halves = dataOf(writeInferResponse(responseOf(tensorOf("FP16", bits)), all).head);
    const values = Float32Array.from(bits, fromFloat16Bits);
    const floats = dataOf(writeInferResponse(responseOf(tensorOf("FP32", values)), all).head);
    for (const text of [halves, floats]) {
      expect(differences(read("FP16", bits.length, text), bits)).toEqual([]);
      expect(differences(read("FP32", bits.length, text), values)).toEqual([]);
    }
  });

  it("are written the same as short ones, and as bytes the same as text", () => {
    const random = randomFrom(3);
    const words = Uint32Array.from({ length: 50_000 }, () => random.integer(0, 2 ** 32 - 1));
    const values = new Float32Array(words.buffer);
    const long = responseOf(tensorOf("FP32", values));
    const { head } = writeInferResponse(long, all);
    const { body, headerLength } = writeInferBody(long, all);
    expect([new TextDecoder().decode(body as Uint8Array), headerLength]).toEqual([head, null]);
    const short: string[] = [];
    for (let from = 0; from < values.length; from += 50) {
      const part = tensorOf("FP32", values.subarray(from, from + 50));
      short.push(dataOf(writeInferResponse(responseOf(part), all).head));
    }
    expect(short.join(",")).toBe(dataOf(head));
  });

  it("are written whole where every number takes the most room", () => {
    const values = new Float32Array(20_000).fill(-1e20);
    const { head } = writeInferResponse(responseOf(tensorOf("FP32", values)), all);
    expect(JSON.parse(`[${dataOf(head)}]`)).toEqual(Array(20_000).fill(-1e20));
  });

  it("are read in rows, and with numbers between that others read", () => {
    const rows = Array.from({ length: 1000 }, (_, row) => [
      row / 3,
      `-${row}`,
      row % 7 === 0 ? '"NaN"' : `${row}.00000000000000000000000001`,
      `${row}e-3`,
    ]);
    const text = rows.map((row) => `[${row.join(", ")}]`).join(",\n");
    const body = `{"inputs":[{"name":"x","datatype":"FP32","shape":[1000,4],"data":[${text}]}]}`;
    const { data } = parseInferRequest(new TextEncoder().encode(body)).inputs[0] as Tensor;
    const wanted = rows.flat().map((value) => (value === '"NaN"' ? Number.NaN : Number(value)));
    expect(data).toEqual(Float32Array.from(wanted));
  });

  it("are read with little patience, other long texts are not", () => {
    const body = (data: string) =>
      new TextEncoder().encode(
        `{"inputs":[{"name":"x","datatype":"FP32","shape":[5000],"data":[${data}]}]}`,
      );
    const parse = (data: string) => parseInferRequest(body(data), { patienceBytes: 1000 });
    expect(parse(Array(5000).fill("1.5").join(",")).inputs[0]?.data).toHaveLength(5000);
    const nothing = Array(5000).fill("null").join(",");
    expect(() => parse(nothing)).toThrow(SlowText);
    const unknown = new TextEncoder().encode(`{"a":[${nothing}],"inputs":[]}`);
    expect(() => parseInferRequest(unknown, { patienceBytes: 1000 })).toThrow(SlowText);
  });

  it("beside blobs are one body with them", () => {
    const floats = tensorOf(
      "FP32",
      Float32Array.from({ length: 100 }, (_, index) => index / 8),
    );
    const bits = { ...tensorOf("FP16", Uint16Array.of(1, 2)), name: "y" };
    const outputs = [
      { name: "x", binary: false },
      { name: "y", binary: true },
    ];
    const response = { ...responseOf(floats), outputs: [floats, bits] };
    const { head } = writeInferResponse(response, { outputs, binaryOutput: false });
    const { body, headerLength } = writeInferBody(response, { outputs, binaryOutput: false });
    expect(headerLength).toBe(new TextEncoder().encode(head).length);
    expect(body).toEqual(
      new Uint8Array(Buffer.concat([Buffer.from(head), Buffer.from([1, 0, 2, 0])])),
    );
  });
});
