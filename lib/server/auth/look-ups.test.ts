import { describe, expect, it } from "vitest";
import { LookUps } from "./look-ups";

const flood = "192.0.2.7";

function counted() {
  let nowMs = 0;
  let asked = 0;
  const good = new Set<string>();
  const lookUps = new LookUps(() => nowMs);
  const find = (key: string) => async () => {
    asked++;
    return good.has(key) ? { key } : null;
  };
  return {
    good,
    pass: (ms: number) => {
      nowMs += ms;
    },
    asked: () => asked,
    /** Found, nothing, or the reason why it was not looked up. */
    ask: async (key: string, address: string | undefined = flood) =>
      await lookUps.run(key, address, find(key)).then(
        (found) => (found ? "found" : "nothing"),
        (error: { reason: string; details: object }) => {
          expect(error.details).toEqual({ retryAfterS: 1 });
          return error.reason;
        },
      ),
    run: <T extends object>(key: string, answer: Promise<T | null>) =>
      lookUps.run(key, key, () => answer),
  };
}
type Counted = ReturnType<typeof counted>;

async function floodWith({ ask }: Counted, count: number, name = "made up"): Promise<string[]> {
  const answers: string[] = [];
  for (let n = 0; n < count; n++) answers.push(await ask(`${name} ${n}`));
  return answers;
}

describe("looking up what is shown", () => {
  it("does so a hundred times at once for one address, then twenty times a second", async () => {
    const all = counted();
    const answers = await floodWith(all, 1000);
    expect(answers.filter((answer) => answer === "nothing")).toHaveLength(100);
    expect(answers.at(-1)).toBe("RATE_LIMITED");
    all.pass(1000);
    await floodWith(all, 1000, "others");
    expect(all.asked()).toBe(120);
  });

  it("never refuses what was found lately, and what is found costs nothing", async () => {
    const all = counted();
    const names = Array.from({ length: 300 }, (_, n) => `good ${n}`);
    for (const name of names) all.good.add(name);
    for (const name of names) expect(await all.ask(name)).toBe("found");
    await floodWith(all, 20_000);
    for (const name of names) expect(await all.ask(name)).toBe("found");
  });

  it("lets a good new one in behind a flooding address, with its second try", async () => {
    const all = counted();
    await floodWith(all, 500);
    all.good.add("new");
    expect(await all.ask("new")).toBe("RATE_LIMITED");
    await floodWith(all, 15_000, "others");
    expect(await all.ask("new")).toBe("found");
  });

  it("does not let those in for ever who come again with the same many", async () => {
    const all = counted();
    for (let round = 0; round < 5; round++) await floodWith(all, 500);
    expect(all.asked()).toBe(200);
  });

  it("is slower for no other address; those of one IPv6 network are one", async () => {
    const all = counted();
    for (let n = 0; n < 200; n++) await all.ask(`a ${n}`, `2001:db8::${n.toString(16)}`);
    expect(all.asked()).toBe(100);
    expect(await all.ask("b", "2001:db8:0:1::1")).toBe("nothing");
    expect(await all.ask("c", "192.0.2.8")).toBe("nothing");
  });

  it("knows for a second that there was nothing, and looks again after that", async () => {
    const all = counted();
    for (let n = 0; n < 5; n++) expect(await all.ask("late")).toBe("nothing");
    expect(all.asked()).toBe(1);
    all.good.add("late");
    all.pass(1001);
    expect(await all.ask("late")).toBe("found");
    all.good.clear();
    expect(await all.ask("late")).toBe("nothing");
  });

  it("does so for no more than 64 at once, whatever their addresses; a failure leaves no trace", async () => {
    const all = counted();
    let fail = (_: Error): void => {};
    const away = new Promise<null>((_, reject) => {
      fail = reject;
    });
    const under = Array.from({ length: 64 }, (_, n) => all.run(`198.51.100.${n}`, away));
    await expect(all.run("203.0.113.1", Promise.resolve({}))).rejects.toMatchObject({
      reason: "RATE_LIMITED",
    });
    fail(new Error("away"));
    for (const each of under) await expect(each).rejects.toThrow("away");
    expect(await all.run("203.0.113.1", Promise.resolve({}))).toEqual({});
  });
});
