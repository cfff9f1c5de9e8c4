import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findFamily, listBoardModels } from "@/boards";
import { messages } from "@/messages/en";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { engineVerdicts, getEngine, listEngines } from ".";

describe("engine registry", () => {
  it.each(listEngines())("$id has options that a form can be drawn from", (engine) => {
    expect(engine.title).not.toBe("");
    expect(engine.formats.length).toBeGreaterThan(0);
    const schema = z.toJSONSchema(engine.optionsSchema);
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      expect({ name, ...(property as object) }).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
      });
    }
    expect(engine.optionsSchema.safeParse({}).success).toBe(true);
    expect(engine.optionsSchema.safeParse({ nonsense: 1 }).success).toBe(false);
  });

  it("says of each engine what the English catalogue says of it", () => {
    const said = Object.fromEntries(listEngines().map(({ id, summary }) => [id, summary]));
    expect(said).toMatchObject(messages.deploy.engines.summaries);
  });

  it.each(listBoardModels())(
    "says for $id which engine builds for it, or why none does",
    (board) => {
      const kind = board.part.flow.kind === "cpu" ? "cpu" : "simulated";
      const verdicts = listEngines().map((engine) => engine.supports(board, kind));
      const able = verdicts.filter(({ ok }) => ok).length;
      // One takes finished firmware, two build cores, hls4ml and conifer write projects for Vitis, or hls4ml has da4ml write
      // adders that only open tools place.
      const { flow } = board.part;
      const fpga = findFamily(board.part)?.vendor ? 3 : 4;
      expect(able).toBe({ cpu: 6, vivado: 5 }[flow.kind as string] ?? fpga);
      for (const verdict of verdicts) {
        if (!verdict.ok) {
          expect(verdict.problem.reason).toBe("COMBINATION_UNSUPPORTED");
          expect(verdict.problem.message).toContain(board.name);
        }
      }
    },
  );

  it("refuses an engine it does not know", () => {
    expect(() => getEngine("nope")).toThrow(expect.objectContaining({ reason: "ENGINE_UNKNOWN" }));
  });

  it("knows engines by the names that they had elsewhere", () => {
    expect(getEngine("fpga-model").id).toBe("bondmachine");
    expect(getEngine("sklearn").id).toBe("onnx");
    for (const id of ["xgboost", "tensorflow", "onnx"]) expect(getEngine(id).id).toBe(id);
    expect(() => getEngine("constructor")).toThrow("There is no engine");
  });

  it("lets every engine say whether it takes a model", () => {
    const { model } = planRequest("iris-mlp", "icebreaker");
    expect(engineVerdicts(model)).toEqual([
      { id: "boardwalk", ok: true },
      { id: "bondmachine", ok: true },
      { id: "onnx", ok: true },
      expect.objectContaining({ id: "tensorflow", ok: false, reason: "FORMAT_HAS_NO_ENGINE" }),
      expect.objectContaining({ id: "xgboost", ok: false, reason: "FORMAT_HAS_NO_ENGINE" }),
      expect.objectContaining({ id: "prebuilt", ok: false, reason: "FORMAT_HAS_NO_ENGINE" }),
      { id: "hls4ml", ok: true },
      expect.objectContaining({ id: "conifer", ok: false, reason: "FORMAT_HAS_NO_ENGINE" }),
      expect.objectContaining({ id: "bond-host", ok: false, reason: "FORMAT_HAS_NO_ENGINE" }),
    ]);
  });
});
