import { describe, expect, it } from "vitest";
import type { SignalTrace } from "./trace";
import { writeVcd } from "./vcd";

const signal = (
  name: string,
  width: number,
  changes: readonly [number, number][],
): SignalTrace => ({
  name,
  width,
  cycles: Uint32Array.from(changes, ([cycle]) => cycle),
  values: Float64Array.from(changes, ([, value]) => value),
});

const options = { top: "core", clock: "clk", clockHz: 48e6 };

describe("a value change dump", () => {
  it("declares each signal and writes its changes at the clock's edges", () => {
    const signals = [
      signal("rst", 1, [
        [0, 1],
        [1, 0],
      ]),
      signal("in_data", 8, [
        [0, 0],
        [2, 209],
      ]),
    ];
    const text = writeVcd({ signals, length: 3 }, { ...options, comment: "row 1" }).join("");
    expect(text).toBe(`$comment row 1 $end
$timescale 1ps $end
$scope module core $end
$var wire 1 ! clk $end
$var wire 1 " rst $end
$var wire 8 # in_data [7:0] $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
1!
1"
b0 #
$end
#10417
0!
#20833
1!
0"
#31250
0!
#41667
1!
b11010001 #
#52083
0!
#62500
`);
  });

  it("gives each of many signals a code of its own, without a blank", () => {
    const signals = Array.from({ length: 20_000 }, (_, index) => signal(`s${index}`, 1, [[0, 0]]));
    const text = writeVcd({ signals, length: 1 }, options).join("");
    const codes = [...text.matchAll(/^\$var wire 1 (\S+) /gm)].map(([, code]) => code);
    expect(codes).toHaveLength(20_001);
    expect(new Set(codes).size).toBe(20_001);
  });

  it("cannot be ended by its comment", () => {
    const text = writeVcd({ signals: [], length: 0 }, { ...options, comment: "a $end b" }).join("");
    expect(text.split("\n")[0]).toBe("$comment a end b $end");
  });
});
