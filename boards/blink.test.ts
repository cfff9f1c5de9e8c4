import { describe, expect, it } from "vitest";
import { whyNoBlink } from "./blink";
import { getBoardModel, listBoardModels } from "./registry";
import { lightsOf } from "./top";

const refusalOf = (id: string) => whyNoBlink(getBoardModel(id));

describe("whether a board can blink", () => {
  it("is yes where a design has a second LED, which shows its line", () => {
    expect(refusalOf("icebreaker")).toBeNull();
    expect(lightsOf(getBoardModel("icebreaker"))).toHaveLength(2);
  });

  it("is no, with the reason, where the only LED shows that the design runs, or registers reach it", () => {
    expect(refusalOf("tinyfpga-bx")).toMatch(/The only LED of TinyFPGA BX .* blinks all the time/);
    expect(refusalOf("zedboard")).toMatch(/reached by its registers, which drive no LED/);
  });

  it("is said of every board with a serial link by its lights alone", () => {
    for (const model of listBoardModels()) {
      if (!model.links.some(({ kind }) => kind === "uart")) continue;
      expect([model.id, whyNoBlink(model) === null]).toEqual([
        model.id,
        lightsOf(model).length > 1,
      ]);
    }
  });
});
