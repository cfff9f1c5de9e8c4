import { describe, expect, it } from "vitest";
import { connectionKinds, placeSchemas, secretSchemas } from "@/lib/common/contract";
import { placeFields, placeOfTexts, secretFields, secretForms, secretOfTexts } from "./fields";

describe("the lines of a form", () => {
  it.each(connectionKinds)("of kind %s make what the API takes", (kind) => {
    const texts = Object.fromEntries(
      placeFields[kind].map(({ name, example = "" }) => [name, ` ${example} `]),
    );
    expect(placeSchemas[kind].safeParse(placeOfTexts(kind, texts)).error).toBeUndefined();
    const needed = Object.fromEntries(
      placeFields[kind].flatMap(({ name, example, isOptional }) =>
        isOptional ? [] : [[name, example]],
      ),
    );
    expect(placeSchemas[kind].safeParse(placeOfTexts(kind, needed)).error).toBeUndefined();
    for (const form of secretForms[kind]) {
      const secret = Object.fromEntries(secretFields[form].map(({ name }) => [name, "typed"]));
      expect(secretSchemas[kind].safeParse(secretOfTexts(form, secret)).error).toBeUndefined();
    }
  });

  it("hold no secret where nothing was typed", () => {
    expect(secretOfTexts("login", { user: "", password: "" })).toBeUndefined();
    expect(secretOfTexts("login", { user: "ana", password: "" })).toEqual({ user: "ana" });
  });

  it("take buckets with commas, blanks and lines between them", () => {
    expect(placeOfTexts("s3", { buckets: "models, calibration\nraw" })).toEqual({
      buckets: ["models", "calibration", "raw"],
    });
  });
});
