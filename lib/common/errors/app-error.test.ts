import { expect, it } from "vitest";
import { fail } from "./app-error";

it("says in a message of bounded length what came with a name of any", () => {
  const { message } = fail(
    "MODEL_UNSUPPORTED",
    `The objective ${"x".repeat(70_000)} is not known.`,
  );
  expect(message).toMatch(/^The objective x{1900,}…$/);
  expect(message.length).toBeLessThanOrEqual(2000);
  expect(fail("MODEL_UNSUPPORTED", "It is short.").message).toBe("It is short.");
});
