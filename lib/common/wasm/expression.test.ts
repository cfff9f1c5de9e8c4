import { describe, expect, it } from "vitest";
import { block, call, encodeModule, FunctionBuilder, f64, i32, i64, loop, v128, when } from ".";

type Functions = Record<string, (...parameters: unknown[]) => unknown>;

/** The sum of 1 to n, but for 3, and no further than to 5. */
function sumCode() {
  const fn = new FunctionBuilder();
  const most = fn.parameter("i32");
  const [at, sum] = [fn.local("i32"), fn.local("i32")];
  const body = block((leave) => [
    loop((again) => [
      leave(i32.ge(at.get, most.get)),
      at.set(i32.add(at.get, 1)),
      when(i32.eq(at.get, 3), [again()]),
      when(i32.gt(at.get, 5), [leave()]),
      sum.set(i32.add(sum.get, at.get)),
      again(),
    ]),
  ]);
  return fn.finish("i32", [body], sum.get);
}

function halfCode() {
  const fn = new FunctionBuilder();
  const most = fn.parameter("i32");
  const sum = call(0, [most.get]);
  return fn.finish("f64", [], f64.mul(f64.ofI64(i64.ofI32(sum)), 0.5));
}

/** Which of 16 bytes from an address on are less than another. */
function maskCode() {
  const fn = new FunctionBuilder();
  const address = fn.parameter("i32");
  const less = v128.lessThan8(v128.load(address.get), v128.constant(Array(16).fill(4)));
  return fn.finish("i32", [i32.store8(address.get, i32.constant(9))], v128.mask8(less));
}

describe("functions that are built of expressions", () => {
  const module = encodeModule({
    functions: [sumCode(), halfCode(), maskCode()],
    exports: { sum: 0, half: 1, mask: 2 },
    memoryPages: 1,
  });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(module)));
  const functions = exports as Functions;

  it.each([
    [0, 0],
    [2, 3],
    [4, 7],
    [9, 12],
  ])("jump out of blocks and back in loops: up to %i it is %i", (most, sum) => {
    expect(functions["sum"]?.(most)).toBe(sum);
    expect(functions["half"]?.(most)).toBe(sum / 2);
  });

  it("work on vectors of bytes", () => {
    const memory = new Uint8Array((exports["memory"] as WebAssembly.Memory).buffer);
    memory.set([0, 1, 7, 3, 4, 5, 255], 100);
    expect(functions["mask"]?.(100)).toBe(0b1111_1111_1000_1010);
  });
});
