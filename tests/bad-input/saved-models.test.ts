import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { extract, pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { httpStatusOf, isAppError } from "@/lib/common/errors";
import { inspectModel } from "@/workers/inspect/inspect-model";
import { badFile } from "./files";

const iris = readFileSync("tests/fixtures/models/iris-mlp/saved_model.tar.gz");
const fixture = (name: string) => readFileSync(`tests/fixtures/savedmodel/${name}`);
const inspect = (bytes: Uint8Array) => inspectModel(bytes, null);

/** The iris model's archive, its members changed. */
async function irisWith(change: (files: Map<string, Buffer>) => void): Promise<Buffer> {
  const files = new Map<string, Buffer>();
  const members = extract();
  members.end(gunzipSync(iris));
  for await (const member of members) {
    const content = await buffer(member);
    if (member.header.type === "file") files.set(member.header.name, content);
  }
  change(files);
  const archive = pack();
  for (const [name, content] of files) archive.entry({ name }, content);
  archive.finalize();
  return gzipSync(await buffer(archive));
}

describe("archives of SavedModels", () => {
  it("are inspected without TensorFlow, whatever packs them", async () => {
    for (const bytes of [iris, gunzipSync(iris)]) {
      const { inspection, savedModel } = await inspect(bytes);
      expect(inspection).toMatchObject({
        format: "savedmodel",
        inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4] }],
        outputs: [{ name: "output_0", datatype: "FP32", shape: [-1, 3] }],
        parameters: 243,
      });
      expect(inspection.engines.filter(({ ok }) => ok)).toEqual([{ id: "tensorflow", ok: true }]);
      expect([...(savedModel?.files.keys() ?? [])]).toEqual([
        "saved_model.pb",
        "variables.data-00000-of-00001",
        "variables.index",
      ]);
    }
    const { inspection } = await inspect(fixture("image.zip"));
    expect(inspection.inputs).toEqual([{ name: "image", datatype: "FP32", shape: [-1, 6, 6, 1] }]);
  });

  it("may hold the folder at any depth, with other files beside it", async () => {
    const nested = await irisWith((files) => {
      for (const [name, content] of [...files]) {
        files.delete(name);
        files.set(`export/1/${name}`, content);
      }
      files.set("README.md", Buffer.from("about"));
    });
    expect((await inspect(nested)).inspection.parameters).toBe(243);
  });

  it.each([
    ["py-function.tar.gz", "MODEL_NOT_ALLOWED", "EagerPyFunc"],
    ["numpy-function.tar.gz", "MODEL_NOT_ALLOWED", "PyFunc"],
    ["write-file.tar.gz", "MODEL_NOT_ALLOWED", "WriteFile"],
    ["restore-in-call.tar.gz", "MODEL_NOT_ALLOWED", "RestoreV2"],
    ["text.tar.gz", "MODEL_UNSUPPORTED", "string"],
    ["no-signature.tar.gz", "MODEL_UNSUPPORTED", "signature"],
    ["unknown-rank.tar.gz", "MODEL_SHAPE_INVALID", "shape"],
  ])("are refused for what is in them: %s", async (name, reason, words) => {
    await expect(inspect(fixture(name))).rejects.toMatchObject({
      reason,
      message: expect.stringContaining(words),
    });
  });

  it.each<[string, string, (files: Map<string, Buffer>) => void]>([
    [
      "without weights",
      "MODEL_INVALID",
      (files) => files.delete("saved_model/variables/variables.index"),
    ],
    [
      "with two of them",
      "MODEL_UNSUPPORTED",
      (files) => files.set("other/saved_model.pb", Buffer.from("x")),
    ],
    [
      "with a pickle beside it",
      "MODEL_NOT_ALLOWED",
      (files) => files.set("saved_model/extra.pkl", Buffer.from("x")),
    ],
    [
      "with a Lambda layer's notes",
      "MODEL_NOT_ALLOWED",
      (files) =>
        files.set("saved_model/keras_metadata.pb", Buffer.from('{"class_name": "Lambda"}')),
    ],
    [
      "whose graph is cut off",
      "MODEL_INVALID",
      (files) =>
        files.set(
          "saved_model/saved_model.pb",
          files.get("saved_model/saved_model.pb")?.subarray(0, 9000) ?? Buffer.alloc(0),
        ),
    ],
  ])("are refused %s", async (_, reason, change) => {
    await expect(inspect(await irisWith(change))).rejects.toMatchObject({ reason });
  });

  it("are refused when a member leaves the folder or the whole is a bomb", async () => {
    const slip = await irisWith((files) =>
      files.set("saved_model/../../escaped", Buffer.from("x")),
    );
    const bomb = await irisWith((files) =>
      files.set("saved_model/variables/variables.data-00000-of-00001", Buffer.alloc(64 * 2 ** 20)),
    );
    for (const bytes of [slip, bomb, badFile("slip.tar.gz"), badFile("bomb.tar.gz")]) {
      await expect(inspect(bytes)).rejects.toMatchObject({ reason: "ARCHIVE_REJECTED" });
    }
  });

  it("are needed: the graph alone is told from other files, and what is missing", async () => {
    let graph = Buffer.alloc(0);
    await irisWith((files) => {
      graph = Buffer.from(files.get("saved_model/saved_model.pb") ?? "");
    });
    await expect(inspect(graph)).rejects.toMatchObject({
      reason: "MODEL_UNSUPPORTED",
      hint: expect.stringContaining("tar czf"),
    });
  });

  it("blame the file wherever it is damaged", async () => {
    const plain = gunzipSync(iris);
    for (let at = 0; at < plain.length; at += 499) {
      const bytes = Buffer.from(plain);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      const error = await inspect(bytes).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error === null) continue;
      if (!isAppError(error)) throw error;
      expect(`${error.reason} ${httpStatusOf(error)}`).toMatch(/^[A-Z_]+ 4\d\d$/);
    }
  });
});
