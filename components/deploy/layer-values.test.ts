import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { messages } from "@/messages/en";
import { complaintAboutLayers, strayLayers, withSetting } from "./layer-values";
import { optionFields } from "./option-fields";

const t = createTranslator({ locale: "en", messages, namespace: "deploy.complaints" });

const [field] = optionFields({
  properties: {
    layers: {
      type: "object",
      title: "Layers",
      keys: "layers",
      additionalProperties: {
        properties: {
          width: { type: "integer", title: "Bits", minimum: 2, maximum: 48 },
          reuseFactor: { type: "integer", title: "Reuse factor" },
        },
      },
    },
  },
});
if (!field) throw new Error("a record by layer is a field");

const layers = [
  { name: "fc1", operator: "MatMul", settings: { width: null, reuseFactor: [1, 2, 4] } },
  { name: "relu", operator: "Relu", settings: { width: null } },
];

describe("settings of single layers", () => {
  it("are kept by layer, and go when the last one is cleared", () => {
    const once = withSetting(undefined, "fc1", "width", 8);
    expect(once).toEqual({ fc1: { width: 8 } });
    const twice = withSetting(once, "relu", "width", 6);
    expect(twice).toEqual({ fc1: { width: 8 }, relu: { width: 6 } });
    expect(withSetting(twice, "fc1", "width", undefined)).toEqual({ relu: { width: 6 } });
    expect(withSetting(once, "fc1", "width", undefined)).toBeUndefined();
  });

  it("of a layer that this model has not are found", () => {
    expect(strayLayers({ fc1: { width: 8 }, gone: { width: 8 } }, layers)).toEqual(["gone"]);
  });

  it.each([
    [{ fc1: { width: 8, reuseFactor: 4 }, relu: { width: 6 } }, null],
    [{ gone: { width: 8 } }, "This model has no layer “gone”"],
    [{ fc1: { reuseFactor: 3 } }, "Reuse factor of layer “fc1” is one of 1, 2, 4."],
    [{ relu: { reuseFactor: 2 } }, "Reuse factor of layer “relu” cannot be set."],
    [{ fc1: { width: 99 } }, "Bits of layer “fc1” is at most 48."],
    [{ fc1: { width: 1 } }, "Bits of layer “fc1” is at least 2."],
    [{ fc1: { width: 2.5 } }, "Bits of layer “fc1” is a whole number."],
  ])("%j are complained about as they should", (value, complaint) => {
    const said = complaintAboutLayers(field, value, layers, t);
    if (complaint === null) expect(said).toBeNull();
    else expect(said).toContain(complaint);
  });
});
