import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { messages } from "@/messages/en";
import {
  complaintAboutName,
  complaintsAbout,
  type Draft,
  fieldOfError,
  firstFree,
  nameFrom,
  toNewEndpoint,
} from "./draft";

const t = createTranslator({ locale: "en", messages, namespace: "deploy.complaints" });

const draft: Draft = {
  url: " s3://boardwalk-samples/iris-mlp/model.onnx ",
  engine: "boardwalk",
  board: { model: "icebreaker", kind: "simulated" },
  name: "iris",
  settled: true,
  named: true,
  options: {},
  preset: null,
  features: [],
  range: { min: "", max: "", assumedFor: "" },
  calibration: null,
  serving: {},
};

describe("the deploy draft", () => {
  it.each(["iris", "a", "digits-mlp-2"])("takes %s as a name", (name) => {
    expect(complaintAboutName(name, [], t)).toBeNull();
  });

  it.each([
    ["", /name/, "nothing typed"],
    ["Iris", /lower case/, "a capital"],
    ["2iris", /starts with a letter/, "a digit first"],
    ["iris-", /ends with/, "a hyphen last"],
    ["iris_mlp", /hyphens/, "an underscore"],
    ["a".repeat(64), /63/, "too long"],
    ["taken", /exists/, "taken"],
  ])("says what is wrong with %j: %s (%s)", (name, words) => {
    expect(complaintAboutName(name, ["taken"], t)).toMatch(words);
  });

  it("lists every missing answer at once", () => {
    const empty: Draft = { ...draft, url: "", engine: "", board: null, name: "" };
    expect(Object.keys(complaintsAbout(empty, [], t)).sort()).toEqual([
      "board",
      "engine",
      "model",
      "name",
    ]);
  });

  it("sends the address trimmed, and options only when some were set", () => {
    expect(toNewEndpoint(draft)).toEqual({
      name: "iris",
      engine: "boardwalk",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "icebreaker", kind: "simulated" },
    });
  });

  it("names one device by its id alone", () => {
    const picked = {
      ...draft,
      board: { id: "brd_1", model: "icebreaker", kind: "physical" } as const,
    };
    expect(toNewEndpoint(picked).board).toEqual({ id: "brd_1" });
  });

  it.each([
    ["model.url", "model"],
    ["options.lanes", "options"],
    ["name", "name"],
    ["somewhere", null],
    [undefined, null],
  ])("maps the error field %s to question %s", (path, field) => {
    expect(fieldOfError(path)).toBe(field);
  });

  it("suggests a free name", () => {
    expect(nameFrom("Jets small.onnx")).toBe("jets-small");
    expect(firstFree("iris-mlp", ["iris-mlp", "iris-mlp-2"])).toBe("iris-mlp-3");
    expect(nameFrom("42.onnx")).toBe("model");
  });
});
