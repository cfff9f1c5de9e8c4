import { describe, expect, it } from "vitest";
import { readBuildRequest } from "@/proto/bond";
import { recorded } from "@/tests/support/bond/transcript";
import { orderOf } from "./order";

const requestOf = (note: string) => readBuildRequest(Buffer.from(recorded(note).requestHex, "hex"));
const whole = requestOf("build: all steps pass");

describe("a request of the original", () => {
  it("is read as it was recorded", () => {
    expect(orderOf(whole)).toEqual({
      engine: "bondmachine",
      network: "fpga-firmware/banknote.json",
      board: { model: "zedboard", kind: "simulated" },
      firmware: "0f8fad5b-d9cb-469f-a165-70867728950e_firmware",
      metadata: {
        ...{ board: "zedboard", arch: "zynq", predictor: "bondmachine" },
        ...{ flavor: "axist", benchcore: false },
      },
    });
  });

  it("is read in the older numbering, which knows no architecture", () => {
    const request = requestOf(
      "what the board server sends to its build server: numbering without arch",
    );
    expect(request).toMatchObject({
      ...{ arch: "", projectType: "neuralnetwork", nInputs: 4, nOutputs: 2, flavor: "axist" },
      sourceNeuralNetwork: "banknote.json",
    });
    expect(orderOf(request).metadata.arch).toBe("zynq");
  });

  it.each([
    ["build: unknown toolkit", "hls toolkit not handled"],
    ["build: unknown project type", "Project type not handled"],
  ])("is refused in the original's words: %s", (note, words) => {
    expect(() => orderOf(requestOf(note))).toThrow(words);
  });

  it.each([
    [{ hlsToolkit: "__proto__" }, /toolkit not handled/],
    [{ uuid: "" }, /uuid/],
    [{ uuid: "../../x" }, /uuid/],
    [{ uuid: "a;reboot" }, /uuid/],
    [{ sourceNeuralNetwork: "../x.json" }, /name must be/],
    [{ sourceNeuralNetwork: "" }, /name must be/],
    [{ targetBoard: "nope" }, /no board "nope"/],
    [{ targetBoard: "cpu" }, /CPU board/],
  ])("is refused with %o", (change, words) => {
    expect(() => orderOf({ ...whole, ...change })).toThrow(words);
  });
});
