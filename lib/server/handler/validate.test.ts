import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toAppError } from "@/lib/common/errors";
import { validate } from "./validate";

const schema = z.strictObject({
  name: z.string().min(1).max(3),
  replicas: z.number().int().min(1).max(4).optional(),
  mode: z.enum(["move", "keep"]).optional(),
  rows: z.array(z.number()).min(1).optional(),
  mail: z.email().optional(),
  digest: z
    .string()
    .regex(/^[0-9a-f]{4}$/)
    .optional(),
  board: z
    .union([z.strictObject({ id: z.string() }), z.strictObject({ model: z.string() })])
    .optional(),
  own: z
    .string()
    .refine((text) => text === "yes", "Say yes.")
    .optional(),
});

const refusal = (value: unknown) => {
  try {
    validate(schema, value);
  } catch (error) {
    const { message, hint, field, reason } = toAppError(error);
    return { message, hint, field, reason };
  }
  throw new Error("nothing was refused");
};

describe("a body that does not fit", () => {
  it.each([
    [undefined, "The body is missing: an object is wanted."],
    ["text", "The body is text, where an object is wanted."],
    [[], "The body is a list, where an object is wanted."],
    [{}, "“name” is missing: text is wanted."],
    [{ name: null }, "“name” is null, where text is wanted."],
    [{ name: "" }, "“name” is too small: at least 1 character."],
    [{ name: "four" }, "“name” is too large: at most 3 characters."],
    [{ name: "a", replicas: "2" }, "“replicas” is text, where a number is wanted."],
    [
      { name: "a", replicas: 1.5 },
      "“replicas” is a number with a fraction, where a whole number is wanted.",
    ],
    [{ name: "a", replicas: 0 }, "“replicas” is too small: at least 1."],
    [{ name: "a", replicas: 9 }, "“replicas” is too large: at most 4."],
    [{ name: "a", mode: "drop" }, "“mode” is none of the values that it may have."],
    [{ name: "a", rows: [] }, "“rows” is too small: at least 1 entry."],
    [{ name: "a", rows: [1, "2"] }, "“rows.1” is text, where a number is wanted."],
    [{ name: "a", mail: "x" }, "“mail” is not an e-mail address."],
    [{ name: "a", digest: "x" }, "“digest” is not of the form that is wanted here."],
    [{ name: "a", nmae: "b" }, "There is no field “nmae” here."],
    [{ name: "a", board: "cpu" }, "“board” is text, where an object is wanted."],
    [{ name: "a", board: {} }, "“board.id” is missing: text is wanted."],
    [{ name: "a", own: "no" }, "Say yes."],
  ])("%j: %s", (value, message) => {
    const said = refusal(value);
    expect(said.message).toBe(message);
    expect(said.reason).toBe("VALIDATION");
    expect(said.hint).toBeTruthy();
  });

  it("names the values and the form that are possible", () => {
    expect(refusal({ name: "a", mode: "drop" })).toMatchObject({
      field: "mode",
      hint: "Give one of: move, keep.",
    });
    expect(refusal({ name: "a", digest: "x" }).hint).toBe("It must match /^[0-9a-f]{4}$/.");
  });

  it("is quoted in short", () => {
    expect(refusal({ name: "a", ["k".repeat(5000)]: 1 }).message.length).toBeLessThan(130);
  });
});
