import { describe, expect, it } from "vitest";
import { SignInFailures } from "./failures";

function counted() {
  let nowMs = 0;
  const failures = new SignInFailures(() => nowMs);
  return {
    failures,
    pass: (ms: number) => {
      nowMs += ms;
    },
    fail: (count: number, email = "a@lab.test", address = "1") => {
      for (let n = 0; n < count; n++) failures.count(email, address);
    },
  };
}

describe("failed tries to sign in", () => {
  it("cost nothing until there are ten, then half a minute each, and never a lock", () => {
    const { failures, pass, fail } = counted();
    fail(9);
    expect(failures.waitS("a@lab.test", "1")).toBe(0);
    fail(1);
    expect(failures.waitS("A@lab.test", "1")).toBe(30);
    pass(29_000);
    expect(failures.waitS("a@lab.test", "1")).toBe(1);
    pass(1000);
    expect(failures.waitS("a@lab.test", "1")).toBe(0);
    fail(1);
    expect(failures.waitS("a@lab.test", "1")).toBe(30);
  });

  it("are forgotten after a quarter of an hour, and by the right password", () => {
    const { failures, pass, fail } = counted();
    fail(10);
    pass(15 * 60_000 + 1);
    expect(failures.waitS("a@lab.test", "1")).toBe(0);
    fail(10);
    failures.forget("a@lab.test", "1");
    expect(failures.waitS("a@lab.test", "1")).toBe(0);
  });

  it("are of one account from one address, and the oldest of very many go first", () => {
    const { failures, fail } = counted();
    fail(10);
    expect(failures.waitS("a@lab.test", "2")).toBe(0);
    expect(failures.waitS("b@lab.test", "1")).toBe(0);
    for (let n = 0; n < 20_000; n++) fail(1, `${n}@lab.test`, `${n}`);
    expect(failures.waitS("a@lab.test", "1")).toBe(0);
  });

  it("are thirty a minute of one network, whichever accounts they name, and right ones none", () => {
    const { failures, pass } = counted();
    const tryAs = (name: number, address: string) => failures.count(`${name}@lab.test`, address);
    for (let n = 0; n < 30; n++) expect(tryAs(n, `2001:200::${n}`)).toBe(0);
    expect(tryAs(30, "2001:200::30")).toBe(2);
    expect(tryAs(31, "2001:200:0:1::1")).toBe(0);
    failures.forget("0@lab.test", "2001:200::");
    expect(tryAs(32, "2001:200::32")).toBe(0);
    expect(tryAs(33, "2001:200::33")).toBe(2);
    pass(2000);
    expect(tryAs(33, "2001:200::33")).toBe(0);
  });
});
