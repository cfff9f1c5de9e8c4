import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { tooLargeSchema } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { planRequest } from "@/tests/support/compiler/plan-request";
import type { PlanRequest } from "../engine";
import { boardwalkEngine as engine } from ".";

/** What a refused plan says would fit. */
function refusal(request: PlanRequest) {
  try {
    engine.plan(request);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { error, ...tooLargeSchema.parse(error.details) };
  }
  throw new Error("it was planned");
}

describe("nearest fits", { timeout: 60_000 }, () => {
  it.each([
    { id: "digits-mlp", board: "icestick", options: {}, kinds: ["board"] },
    {
      id: "iris-mlp",
      board: "icebreaker",
      options: { architecture: "unrolled" },
      kinds: ["bits", "array", "board"],
    },
    {
      id: "jets-small-mlp",
      board: "upduino-v3",
      options: { architecture: "unrolled" },
      kinds: ["array", "board"],
    },
  ] as const)(
    "of $id on $board with $options can all be planned",
    ({ id, board, options, kinds }) => {
      const request = { ...planRequest(id, board), options };
      const { error, lacking, fits } = refusal(request);
      expect(error.reason).toBe("MODEL_TOO_LARGE");
      expect(lacking.length).toBeGreaterThan(0);
      for (const { needed, available } of lacking) expect(needed).toBeGreaterThan(available);
      const found = fits.map((fit) =>
        fit.board ? "board" : fit.options["precision"] ? "bits" : "array",
      );
      expect(found).toEqual(expect.arrayContaining([...kinds]));
      for (const fit of fits) {
        const changed = {
          ...request,
          options: fit.options,
          board: getBoardModel(fit.board ?? board),
        };
        expect(() => engine.plan(changed), fit.title).not.toThrow();
      }
    },
  );

  it("names no larger board before a smaller one that fits", () => {
    const request = { ...planRequest("digits-mlp", "icestick"), options: {} };
    const boards = refusal(request).fits.flatMap(({ board }) => board ?? []);
    const cells = boards.map((id) => getBoardModel(id).part.resources.lut);
    expect(cells).toEqual(cells.toSorted((a, b) => a - b));
  });

  it("keeps every other option", () => {
    const request = {
      ...planRequest("iris-mlp", "icebreaker"),
      options: { architecture: "unrolled", simulate: "shell" },
    };
    for (const { options } of refusal(request).fits) {
      expect(options).toMatchObject({ simulate: "shell" });
    }
  });
});
