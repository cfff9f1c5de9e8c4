import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { outlineOf, parseOnnx } from "@/compiler";
import { modelCardSchema } from "@/lib/common/contract";
import { findForecast, fitOnBoard, waysToFit } from ".";

const forecasts = findForecast("boardwalk");

function question(folder: string, board: string, options = {}) {
  const graph = parseOnnx(new Uint8Array(readFileSync(`${folder}/model.onnx`)));
  const card = modelCardSchema.parse(JSON.parse(readFileSync(`${folder}/card.json`, "utf8")));
  if (!forecasts) throw new Error("boardwalk has no forecast");
  return {
    forecasts,
    outline: outlineOf(graph, card.inputRange ?? null),
    board: getBoardModel(board),
    options,
  };
}

describe("whether a board is large enough", () => {
  it("says how full one will be that is", () => {
    const fit = fitOnBoard(question("public/samples/digits-mlp", "icebreaker"));
    expect(fit).toMatchObject({ fits: true });
    expect(fit?.share).toBeGreaterThan(0.1);
    expect(fit?.share).toBeLessThan(1);
  });

  it("says how much too small one is, surely, and what would fit", () => {
    const asked = question("tests/fixtures/models/wine-sklearn-forest", "icestick");
    const fit = fitOnBoard(asked);
    if (!fit || fit.fits) throw new Error("it fits");
    expect(fit.isSure).toBe(true);
    const shares = fit.guess.lacking.map(({ needed, available }) => needed / available);
    expect(fit.share).toBe(Math.max(...shares));
    const [way] = waysToFit(asked);
    expect(
      fitOnBoard({ ...asked, board: getBoardModel(way?.board ?? ""), options: way?.options ?? {} }),
    ).toMatchObject({ fits: true });
  });

  it("is not sure of a board that is too small because of an option alone", () => {
    const fit = fitOnBoard(
      question("public/samples/digits-mlp", "icebreaker", { lanes: 4096, architecture: "array" }),
    );
    expect(fit).toMatchObject({ fits: false, share: null, isSure: false });
  });

  it("says nothing of what holds no design", () => {
    expect(fitOnBoard(question("public/samples/digits-mlp", "cpu"))).toBeNull();
  });
});
