import { describe, expect, it } from "vitest";
import { optionFields, optionValue } from "./option-fields";

const schema = {
  type: "object",
  properties: {
    weightWidth: { type: "integer", minimum: 2, maximum: 8, default: 8, description: "Bits." },
    simulate: { type: "string", enum: ["core", "shell"], default: "core" },
    deep: { type: "object", properties: {} },
    exact: { type: "boolean" },
  },
};

describe("option fields", () => {
  it("makes a control for every plain property and leaves nested ones to the API", () => {
    expect(optionFields(schema).map(({ name, kind }) => [name, kind])).toEqual([
      ["weightWidth", "number"],
      ["simulate", "choice"],
      ["exact", "boolean"],
    ]);
  });

  it("names a property in words and keeps its bounds", () => {
    expect(optionFields(schema)[0]).toMatchObject({
      title: "Weight width",
      minimum: 2,
      maximum: 8,
      whole: true,
      fallback: 8,
    });
  });

  it("turns what was typed into a value of the property's type", () => {
    const [width, simulate, exact] = optionFields(schema);
    expect(width && optionValue(width, "6")).toBe(6);
    expect(width && optionValue(width, "")).toBeUndefined();
    expect(simulate && optionValue(simulate, "shell")).toBe("shell");
    expect(exact && optionValue(exact, "false")).toBe(false);
  });

  it("has no fields for a schema it cannot read", () => {
    expect(optionFields({ properties: 3 })).toEqual([]);
  });
});
