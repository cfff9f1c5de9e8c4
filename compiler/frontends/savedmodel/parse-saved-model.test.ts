import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isAppError } from "@/lib/common/errors";
import { parseSavedModel } from ".";

/** A file out of a plain tar archive. */
function untar(archive: Buffer, name: string): Buffer {
  for (let at = 0; at < archive.length; ) {
    const text = (from: number, length: number) =>
      archive.toString("latin1", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12), 8);
    if (text(0, 100).endsWith(name)) return archive.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`no ${name} in the archive`);
}

const iris = untar(
  gunzipSync(readFileSync("tests/fixtures/models/iris-mlp/saved_model.tar.gz")),
  "saved_model.pb",
);
const pair = untar(readFileSync("tests/fixtures/savedmodel/pair.tar"), "saved_model.pb");

type Content = number | string | Uint8Array | readonly Field[];
type Field = readonly [number: number, content: Content];

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}

/** A protobuf message. Negative numbers are written as 64 bits. */
function message(...fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.map(([number, content]) => {
      if (typeof content === "number") {
        const value = content < 0 ? [...Array(9).fill(0xff), 0x01] : varint(content);
        return Buffer.from([...varint(number * 8), ...value]);
      }
      const bytes =
        typeof content === "string" || content instanceof Uint8Array
          ? Buffer.from(content)
          : message(...content);
      return Buffer.concat([
        Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]),
        bytes,
      ]);
    }),
  );
}

const tensor = (name: string, type = 1, shape: readonly Field[] = [[2, [[1, -1]]]]): Field[] => [
  [1, name],
  [
    2,
    [
      [1, `${name}:0`],
      [2, type],
      [3, shape],
    ],
  ],
];
const node = (operator: string, calls: readonly string[] = []): Field => [
  1,
  [
    [1, operator],
    [2, operator],
    ...calls.map(
      (name): Field => [
        5,
        [
          [1, "f"],
          [2, [[10, [[1, name]]]]],
        ],
      ],
    ),
  ],
];
const functionOf = (name: string, operators: readonly string[], calls: readonly string[] = []) =>
  [
    1,
    [[1, [[1, name]]], ...[...operators, ...calls].map((each): Field => [3, [[2, each]]])],
  ] as const;
const serving = (input = tensor("x"), output = tensor("y")): Field => [
  5,
  [
    [1, "serving_default"],
    [
      2,
      [
        [1, input],
        [2, output],
        [3, "tensorflow/serving/predict"],
      ],
    ],
  ],
];

/** A SavedModel with this graph and signature, and whatever a test changes. */
const modelOf = ({
  graph = [] as readonly Field[],
  signature = serving(),
  objects = [[1, [[4, [[1, "root"]]]]]] as readonly Field[],
  tags = ["serve"] as readonly string[],
  more = [] as readonly Field[],
}) =>
  message(
    [1, 1],
    [2, [[1, tags.map((tag): Field => [4, tag])], [2, graph], signature, [7, objects], ...more]],
  );

const refusal = (bytes: Uint8Array, metadata: Uint8Array | null = null) => {
  try {
    parseSavedModel(bytes, metadata);
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
  throw new Error("the file was taken");
};

describe("the reader of SavedModels", () => {
  it("tells the signature and the variables that it reads", () => {
    expect(parseSavedModel(iris, null)).toEqual({
      signature: {
        name: "serving_default",
        inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4] }],
        outputs: [{ name: "output_0", datatype: "FP32", shape: [-1, 3] }],
      },
      variables: expect.arrayContaining([{ name: "iris_mlp/dense_1/kernel", shape: [16, 8] }]),
    });
    const sizes = parseSavedModel(iris, null).variables.map(({ shape }) =>
      shape.reduce((product, size) => product * size, 1),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(243);
  });

  it("names several tensors in the order of their names, each with its own type", () => {
    expect(parseSavedModel(pair, null).signature).toMatchObject({
      inputs: [{ name: "left" }, { name: "right" }],
      outputs: [
        { name: "best", datatype: "INT64", shape: [-1] },
        { name: "scores", datatype: "FP32", shape: [-1, 2] },
      ],
    });
  });

  it("takes the small model that the following ones are changed from", () => {
    expect(parseSavedModel(modelOf({}), null).signature.inputs).toEqual([
      { name: "x", datatype: "FP32", shape: [-1] },
    ]);
  });

  it.each<[string, string, Parameters<typeof modelOf>[0]]>([
    ["MODEL_UNSUPPORTED", "no serving signature", { signature: [9, ""] }],
    [
      "MODEL_UNSUPPORTED",
      "no serving signature",
      {
        signature: [
          5,
          [
            [1, "__saved_model_init_op"],
            [2, [[2, tensor("NoOp")]]],
          ],
        ],
      },
    ],
    ["MODEL_UNSUPPORTED", "string", { signature: serving(tensor("x", 7)) }],
    ["MODEL_UNSUPPORTED", "float16", { signature: serving(tensor("x", 19)) }],
    ["MODEL_UNSUPPORTED", "number 99", { signature: serving(tensor("x", 99)) }],
    ["MODEL_SHAPE_INVALID", "no shape", { signature: serving(tensor("x", 1, [[3, 1]])) }],
    [
      "MODEL_SHAPE_INVALID",
      "[-1, 0]",
      {
        signature: serving(
          tensor("x", 1, [
            [2, [[1, -1]]],
            [2, []],
          ]),
        ),
      },
    ],
    [
      "MODEL_SHAPE_INVALID",
      "[9007199254740991]",
      { signature: serving(tensor("x", 1, [[2, [[1, Number.MAX_SAFE_INTEGER]]]])) },
    ],
    ["MODEL_UNSUPPORTED", "tagged `train`", { tags: ["train"] }],
    ["MODEL_UNSUPPORTED", "with nothing", { tags: [] }],
    ["MODEL_VERSION_UNSUPPORTED", "TensorFlow 1", { objects: [] }],
    ["MODEL_INVALID", "damaged", { more: [[2, [node("Relu")]]] }],
    ["MODEL_TOO_COMPLEX", "name", { graph: [node("R".repeat(5000))] }],
    ["MODEL_NOT_ALLOWED", "PyFunc", { graph: [node("PyFunc")] }],
    ["MODEL_NOT_ALLOWED", "EagerPyFunc", { graph: [[2, [functionOf("unused", ["EagerPyFunc"])]]] }],
    ["MODEL_NOT_ALLOWED", "WriteFile", { graph: [[2, [functionOf("f", ["WriteFile"])]]] }],
    ["MODEL_NOT_ALLOWED", "PrintV2", { graph: [[2, [functionOf("f", ["PrintV2"])]]] }],
    ["OPERATOR_UNSUPPORTED", "Addons>Gelu", { graph: [node("Addons>Gelu")] }],
  ])("refuses with %s: %s", (reason, words, change) => {
    const { reason: got, message: told } = refusal(modelOf(change));
    expect(got).toBe(reason);
    expect(told).toContain(words);
  });

  it("lets variables be restored by the saver, and by nothing that is called", () => {
    const library: Field = [2, [functionOf("restore", ["RestoreV2"]), functionOf("f", ["Relu"])]];
    const saver: Field = [
      3,
      [
        [2, "save:0"],
        [3, "restore_call"],
      ],
    ];
    const call = (name: string): Field => [
      1,
      [
        [1, name],
        [2, "PartitionedCall"],
        [
          5,
          [
            [1, "f"],
            [2, [[10, [[1, "restore"]]]]],
          ],
        ],
      ],
    ];
    const build = (name: string) => modelOf({ graph: [call(name), library], more: [saver] });
    expect(parseSavedModel(build("restore_call"), null).signature.name).toBe("serving_default");
    expect(refusal(build("other")).reason).toBe("MODEL_NOT_ALLOWED");
    const named = modelOf({
      graph: [call("restore_call"), library],
      more: [saver],
      objects: [
        [
          2,
          [
            [1, "restore"],
            [2, []],
          ],
        ],
      ],
    });
    expect(refusal(named).reason).toBe("MODEL_NOT_ALLOWED");
  });

  it.each([
    ["itself", [functionOf("a", [], ["a"])]],
    [
      "a ring",
      [functionOf("a", [], ["b"]), functionOf("b", [], ["c"]), functionOf("c", [], ["a"])],
    ],
  ])("refuses functions that call %s", (_, library) => {
    expect(refusal(modelOf({ graph: [[2, library]] })).reason).toBe("MODEL_CYCLE");
  });

  it("takes a function that is called from two sides, and chains of thousands", () => {
    const chain = Array.from({ length: 15_000 }, (_, index) =>
      functionOf(`f${index}`, ["Relu"], [`f${index + 1}`, `f${index + 2}`]),
    );
    expect(parseSavedModel(modelOf({ graph: [[2, chain]] }), null).variables).toEqual([]);
  });

  it("refuses Lambda layers that Keras wrote down", () => {
    const note = '{"layers": [{"class_name" : "Lambda", "config": {}}]}';
    const inside = modelOf({
      objects: [
        [
          1,
          [
            [
              4,
              [
                [1, "_tf_keras_layer"],
                [3, note],
              ],
            ],
          ],
        ],
      ],
    });
    for (const error of [refusal(inside), refusal(modelOf({}), Buffer.from(note))]) {
      expect(error).toMatchObject({
        reason: "MODEL_NOT_ALLOWED",
        message: expect.stringContaining("Lambda"),
      });
    }
  });

  it.each([
    ["no bytes", Buffer.alloc(0)],
    ["a varint without end", Buffer.from([0x08, ...Array(20).fill(0xff)])],
    ["a length beyond the file", Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f])],
    ["a length of 2^63", Buffer.from([0x12, ...Array(9).fill(0xff), 0x01])],
    ["a group", Buffer.from([0x13, 0x14])],
    ["field 0", Buffer.from([0x02, 0x00])],
    ["text", Buffer.from("no protobuf at all")],
  ])("refuses %s", (_, bytes) => {
    expect(refusal(bytes).reason).toBe("MODEL_INVALID");
  });

  it("reads or refuses a file that is cut off anywhere, and blames the file", () => {
    for (let size = 0; size < iris.length; size += 97) {
      const { reason } = refusal(iris.subarray(0, size));
      expect(reason).toBe("MODEL_INVALID");
    }
  });

  it("reads or refuses files with a byte changed, and never throws anything else", () => {
    let refused = 0;
    for (let at = 0; at < iris.length; at += 211) {
      const bytes = Buffer.from(iris);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      try {
        parseSavedModel(bytes, null);
      } catch (error) {
        if (!isAppError(error)) throw error;
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(10);
  });
});
