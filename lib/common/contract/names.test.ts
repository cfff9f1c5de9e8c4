import { describe, expect, it } from "vitest";
import { nameSchema } from "./names";

describe("a name that somebody gives", () => {
  it.each(["a", "a1", "digits-mlp-2", "a--b", "constructor", "a".repeat(63)])(
    "may be %s",
    (name) => {
      expect(nameSchema.safeParse(name).success).toBe(true);
    },
  );

  it.each([
    ["nothing", ""],
    ["64 letters", "a".repeat(64)],
    ["capitals", "Iris"],
    ["a hyphen first", "-iris"],
    ["a hyphen last", "iris-"],
    ["a dot first", ".iris"],
    ["a digit first", "1iris"],
    ["a dot", "iris.onnx"],
    ["an underscore", "iris_2"],
    ["a blank", "iris 2"],
    ["a command", "$(id)"],
    ["a line end", "iris\n"],
    ["a second line", "iris\niris"],
    ["a NUL", "iris\0"],
    ["a path", "../iris"],
    ["an emoji", "iris😀"],
    ["a Cyrillic а", "irisа"],
    ["an é", "irisé"],
    ["a mark that turns text around", "iris\u202e"],
    ["no width", "ir\u200bis"],
    ["a prototype", "__proto__"],
  ])("is not %s", (_what, name) => {
    expect(nameSchema.safeParse(name).success).toBe(false);
  });
});
