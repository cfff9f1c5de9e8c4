import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type GraphSchema, ModelSchema, type NodeSchema } from "@/proto/onnx/generated/onnx_pb";
import { parseOnnx } from "./index";

type NodeInit = MessageInitShape<typeof NodeSchema>;
type GraphInit = MessageInitShape<typeof GraphSchema>;
type TensorInit = NonNullable<GraphInit["initializer"]>[number];

const row = { tensorType: 1, columns: 2 };

function valueNamed(name: string, dimensions: readonly number[] = [-1, row.columns]) {
  const dim = dimensions.map((size) => ({
    value:
      size < 0
        ? { case: "dimParam" as const, value: "batch" }
        : { case: "dimValue" as const, value: BigInt(size) },
  }));
  const tensor = { elemType: row.tensorType, shape: { dim } };
  return { name, type: { value: { case: "tensorType" as const, value: tensor } } };
}

/** A model that makes `y` from `x`, [batch, 2]. */
function modelOf(nodes: readonly NodeInit[], graph: GraphInit = {}, opset = 17): Uint8Array {
  return toBinary(
    ModelSchema,
    create(ModelSchema, {
      irVersion: 8n,
      opsetImport: [{ version: BigInt(opset) }],
      graph: { node: [...nodes], input: [valueNamed("x")], output: [valueNamed("y")], ...graph },
    }),
  );
}

const relu = (input: string, output: string, name = ""): NodeInit => ({
  opType: "Relu",
  name,
  input: [input],
  output: [output],
});

const addWeight = (weight: TensorInit) =>
  modelOf([{ opType: "Add", input: ["x", "w"], output: ["y"] }], {
    initializer: [{ name: "w", ...weight } as TensorInit],
  });

const reason = (word: string) => expect.objectContaining({ reason: word });

describe("weights", () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);

  it.each([
    [
      "float32, raw",
      { dataType: 1, rawData: bytes(0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0) },
      [1, -2.5],
    ],
    ["float32, listed", { dataType: 1, floatData: [1, -2.5] }, [1, -2.5]],
    ["float64", { dataType: 11, doubleData: [0.1, -2] }, [0.1, -2]],
    ["float16, raw", { dataType: 10, rawData: bytes(0, 0x3c, 1, 0) }, [1, 2 ** -24]],
    ["float16, listed", { dataType: 10, int32Data: [0xc000, 0x3555] }, [-2, 0.333251953125]],
    ["bfloat16", { dataType: 16, rawData: bytes(0x80, 0x3f, 0x20, 0xc0) }, [1, -2.5]],
    ["int8", { dataType: 3, rawData: bytes(0xff, 0x7f) }, [-1, 127]],
    ["uint8", { dataType: 2, int32Data: [255, 3] }, [255, 3]],
    ["int64", { dataType: 7, int64Data: [-1n, 2n ** 40n] }, [-1, 2 ** 40]],
    ["uint32", { dataType: 12, uint64Data: [4294967295n, 1n] }, [4294967295, 1]],
    ["bool", { dataType: 9, rawData: bytes(0, 1) }, [0, 1]],
  ])("are read as %s", (_, tensor, values) => {
    const graph = parseOnnx(addWeight({ dims: [2n], ...tensor }));
    expect([...(graph.constants.get("w")?.values ?? [])]).toEqual(values);
  });

  it.each([
    [
      "too many bytes",
      { dims: [1n], dataType: 1, rawData: bytes(0, 0, 0, 0, 0) },
      "stores 5 bytes",
    ],
    ["too few listed numbers", { dims: [3n], dataType: 1, floatData: [1] }, "4 of 12 bytes"],
    ["no element type", { dims: [1n] }, "element type 0"],
    ["a product beyond 2^64", { dims: [2n ** 33n, 2n ** 33n], dataType: 1 }, "EiB"],
  ])("with %s are refused", (_, tensor, words) => {
    expect(() => parseOnnx(addWeight(tensor))).toThrow(
      expect.objectContaining({
        reason: "MODEL_WEIGHT_INVALID",
        message: expect.stringContaining(words),
      }),
    );
  });

  it("may be a single infinite bound, but not several, and never NaN", () => {
    const floats = (...floatData: number[]) =>
      addWeight({ dims: [BigInt(floatData.length)], dataType: 1, floatData });
    expect(parseOnnx(floats(Infinity)).constants.get("w")?.values[0]).toBe(Infinity);
    for (const values of [[NaN], [0, -Infinity]]) {
      expect(() => parseOnnx(floats(...values))).toThrow(reason("MODEL_WEIGHTS_NOT_FINITE"));
    }
  });

  it("may be made by Constant nodes, which then are constants", () => {
    const constant = (attribute: NonNullable<NodeInit["attribute"]>[number]): NodeInit => ({
      opType: "Constant",
      output: ["w"],
      attribute: [attribute],
    });
    const add: NodeInit = { opType: "Add", input: ["x", "w"], output: ["y"] };
    for (const attribute of [
      { name: "value", type: 4, t: { dims: [1n], dataType: 1, floatData: [3] } },
      { name: "value_float", type: 1, f: 3 },
      { name: "value_floats", type: 6, floats: [3] },
      { name: "value_int", type: 2, i: 3n },
    ]) {
      const graph = parseOnnx(modelOf([constant(attribute), add]));
      expect(graph.nodes.map(({ operator }) => operator)).toEqual(["Add"]);
      expect([...(graph.constants.get("w")?.values ?? [])]).toEqual([3]);
    }
  });
});

describe("graphs", () => {
  it("are brought into order, and keep theirs when it is one", () => {
    const shuffled = modelOf([
      relu("b", "y", "third"),
      relu("a", "b", "second"),
      relu("x", "a", "first"),
    ]);
    expect(parseOnnx(shuffled).nodes.map(({ name }) => name)).toEqual(["first", "second", "third"]);
  });

  it("name every node once", () => {
    const nodes = [relu("x", "a", "n"), relu("a", "b", "n_2"), relu("b", "c", "n"), relu("c", "y")];
    const names = parseOnnx(modelOf(nodes)).nodes.map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    expect(names[3]).toBe("Relu_3");
  });

  it.each([
    ["a value made twice", [relu("x", "y"), relu("x", "y")], "MODEL_INVALID"],
    ["an output nobody makes", [relu("x", "z")], "MODEL_INVALID"],
    ["a node that reads itself", [relu("y", "y")], "MODEL_CYCLE"],
    ["an operator that does not exist", [{ ...relu("x", "y"), opType: "Rlu" }], "OPERATOR_UNKNOWN"],
    ["a foreign domain", [{ ...relu("x", "y"), domain: "ai.onnx.mi" }], "OPERATOR_UNKNOWN"],
  ])("with %s are refused", (_, nodes, word) => {
    expect(() => parseOnnx(modelOf(nodes))).toThrow(reason(word));
  });

  it("keep names of the file from becoming anything but text in messages", () => {
    const name = "\u001b[31m`\u202e\n".repeat(100);
    expect(() => parseOnnx(modelOf([{ ...relu("x", "y", name), opType: "No" }]))).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/[\u001b\n\u202e]/) }),
    );
  });

  it("in a ring of thirty thousand are refused at once", () => {
    const count = 30_000;
    const ring = Array.from({ length: count }, (_, index) =>
      relu(`v${(index + count - 1) % count}`, `v${index}`, `n${index}`),
    );
    const bytes = modelOf(ring, { output: [valueNamed("v0")] });
    const before = process.cpuUsage();
    expect(() => parseOnnx(bytes)).toThrow(reason("MODEL_CYCLE"));
    // Work of this process alone, so that a busy machine does not matter; a quadratic walk takes minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it("with more than a hundred thousand nodes are too complex", () => {
    const chain = Array.from({ length: 100_001 }, (_, index) => relu("x", `v${index}`));
    expect(() => parseOnnx(modelOf(chain))).toThrow(reason("MODEL_TOO_COMPLEX"));
  });
});

describe("subgraphs", () => {
  const inside = (graph: GraphInit): Uint8Array =>
    modelOf([
      {
        opType: "If",
        input: ["x"],
        output: ["y"],
        attribute: [{ name: "then_branch", type: 5, g: graph }],
      },
      relu("x", "late"),
    ]);

  it("may read what is around them, whatever its order", () => {
    const graph = parseOnnx(inside({ node: [relu("late", "z")], output: [valueNamed("z")] }));
    expect(graph.nodes.map(({ operator }) => operator)).toEqual(["Relu", "If"]);
  });

  it.each([
    ["unknown values", { node: [relu("nothing", "z")] }, "MODEL_INVALID"],
    ["unknown operators", { node: [{ ...relu("x", "z"), opType: "Nope" }] }, "OPERATOR_UNKNOWN"],
    [
      "false weights",
      { initializer: [{ name: "w", dims: [5n], dataType: 1 }] },
      "MODEL_WEIGHT_INVALID",
    ],
  ])("with %s are refused", (_, graph, word) => {
    expect(() => parseOnnx(inside(graph))).toThrow(reason(word));
  });
});

describe("the wire format", () => {
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
  const field = (number: number, content: Uint8Array): Uint8Array =>
    Buffer.concat([
      Uint8Array.from([...varint(number * 8 + 2), ...varint(content.length)]),
      content,
    ]);
  const text = (words: string) => new TextEncoder().encode(words);
  const model = (graph: Uint8Array) => Buffer.concat([Uint8Array.of(8, 8), field(7, graph)]);
  /** A tensor whose elements lie in a file. */
  const external = (location: string) =>
    Buffer.concat([
      field(8, text("w")),
      field(13, Buffer.concat([field(1, text("location")), field(2, text(location))])),
    ]);

  it.each([
    ["an initializer", (tensor: Uint8Array) => model(field(5, tensor))],
    ["an attribute", (tensor: Uint8Array) => model(field(1, field(5, field(5, tensor))))],
    [
      "a list of an attribute",
      (tensor: Uint8Array) => model(field(1, field(5, field(10, tensor)))),
    ],
    ["a subgraph", (tensor: Uint8Array) => model(field(1, field(5, field(6, field(5, tensor)))))],
    ["sparse values", (tensor: Uint8Array) => model(field(15, field(1, tensor)))],
    ["sparse indices", (tensor: Uint8Array) => model(field(15, field(2, tensor)))],
    [
      "a function",
      (tensor: Uint8Array) =>
        Buffer.concat([model(new Uint8Array()), field(25, field(7, field(5, field(5, tensor))))]),
    ],
  ])("hides no weights in other files: %s", (_, wrap) => {
    for (const location of ["../../etc/passwd", "/etc/passwd", "C:\\x", "weights.bin"]) {
      expect(() => parseOnnx(wrap(external(location)))).toThrow(reason("MODEL_EXTERNAL_DATA"));
    }
  });

  it("is not followed into depths", () => {
    let graph: Uint8Array = new Uint8Array();
    for (let depth = 0; depth < 2000; depth += 1) graph = field(1, field(5, field(6, graph)));
    expect(() => parseOnnx(model(graph))).toThrow(reason("MODEL_TOO_COMPLEX"));
  });

  it("is not believed about lists", () => {
    const numbers = field(7, new Uint8Array(9_000_000));
    expect(() => parseOnnx(model(field(5, numbers)))).toThrow(reason("MODEL_TOO_COMPLEX"));
  });

  it.each([
    ["two graphs", Buffer.concat([model(new Uint8Array()), field(7, new Uint8Array())])],
    ["no graph", Uint8Array.of(8, 8)],
    ["a group", Buffer.concat([model(new Uint8Array()), Uint8Array.of(0x0b)])],
    ["a wrong wire type", model(Uint8Array.of(8, 1))],
    ["a field that outgrows its message", model(Uint8Array.of(0x0a, 100))],
  ])("with %s is refused", (_, bytes) => {
    expect(() => parseOnnx(bytes)).toThrow(
      expect.objectContaining({
        reason: expect.stringMatching(/^MODEL_(INVALID|FORMAT_UNKNOWN)$/),
      }),
    );
  });
});

describe("names that every object inherits", () => {
  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "are no domain and no operator: %s",
    (name) => {
      for (const node of [
        { opType: "Relu", domain: name },
        { opType: name, domain: "" },
      ])
        expect(() => parseOnnx(modelOf([{ ...node, input: ["x"], output: ["y"] }]))).toThrow(
          reason("OPERATOR_UNKNOWN"),
        );
    },
  );
});
