import { expect, test } from "vitest";
import { BodyCollector } from "./body-collector";
import { ByteBudget } from "./byte-budget";

const body = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) >>> 5));

/** Adds the body in pieces of such sizes, again and again. */
function collect(sizes: readonly number[], announcedBytes?: number) {
  const collector = new BodyCollector(new ByteBudget().open("client"), announcedBytes);
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1);
    collector.add(body.subarray(at, end));
    at = end;
  }
  return collector.take();
}

test.each([[[65_536]], [[1, 1460, 70_000]], [[40_000, 1_200_000]], [[3_000_000]], [[100]]])(
  "a body in pieces of %j bytes is what came, announced or not",
  async (sizes) => {
    expect(body.equals(await collect(sizes))).toBe(true);
    expect(body.equals(await collect(sizes, body.length))).toBe(true);
  },
);

test("an announced body is whole at once: it is not copied again", () => {
  expect(collect([65_536], body.length)).toBeInstanceOf(Buffer);
  expect(collect([65_536])).toBeInstanceOf(Promise);
});
