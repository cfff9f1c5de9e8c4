import { describe, expect, it } from "vitest";
import { readTogether } from "./read-together";

describe("reading together", () => {
  it("is one reading for those who ask at the same moment, and one each for different things", async () => {
    const read: string[] = [];
    const ask = (key: string) =>
      readTogether(key, async () => {
        read.push(key);
        return `${key} ${read.length}`;
      });
    const answers = await Promise.all([ask("one"), ask("two"), ask("one")]);
    expect(answers).toEqual(["one 1", "two 2", "one 1"]);
    expect(read).toEqual(["one", "two"]);
  });

  it("never gives an answer that is older than the question", async () => {
    let now = 1;
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const ask = () =>
      readTogether("clock", async () => {
        const seen = now;
        begun();
        await new Promise((resolve) => setTimeout(resolve, 5));
        return seen;
      });
    const first = ask();
    await hasBegun;
    now = 2;
    expect(await ask()).toBe(2);
    expect(await first).toBe(1);
  });

  it("tells all of them of a failure, and reads anew for the next", async () => {
    const ask = (fails: boolean) =>
      readTogether("broken", async () => {
        if (fails) throw new Error("away");
        return "here";
      });
    const both = await Promise.allSettled([ask(true), ask(true)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await ask(false)).toBe("here");
  });
});
