import { describe, expect, it } from "vitest";
import { randomNet } from "@/bench/compiler/random-net";
import { familyCosts } from "@/boards";
import { unroll } from "./design-unrolled";

const graph = randomNet({ sizes: [16, 8, 8, 5], weightWidth: 6, activationWidth: 8, seed: 1 });
const text = (family: string) => unroll(graph, { costs: familyCosts(family), trials: 1 }).emit();
const adders = (verilog: string) => verilog.match(/^ {2}wire .* [+-] .*;$/gm) ?? [];
/** Operands that are complemented before an adder: of a sum those with a tilde, of a difference those without. */
const inverted = (verilog: string) =>
  adders(verilog).filter((line) => {
    const [, operator, right = ""] = /( [+-] )(.*)/.exec(line) ?? [];
    return (operator === " - ") !== right.startsWith("~");
  });

describe("registers that hold complements", () => {
  it("spare most subtractions on iCE40 the cells that invert an operand", () => {
    const all = adders(text("ice40"));
    expect(all.length).toBeGreaterThan(150);
    expect(inverted(text("ice40")).length).toBeLessThan(all.length * 0.12);
    const others = adders(text("ecp5"));
    expect(inverted(text("ecp5")).length).toBeGreaterThan(others.length * 0.25);
  });

  it("leave no sum of natural numbers on iCE40, whose top bit would be a bare carry", () => {
    const hidden = text("ice40").match(/\^ 8'h80;/g) ?? [];
    expect(hidden.length).toBeGreaterThan(10);
    expect(text("ecp5")).not.toContain("^ 8'h80;");
  });

  it("hold what a clamp made in both forms where sums and differences read it", () => {
    expect(text("ice40")).toMatch(/_twin <= /);
    expect(text("ecp5")).not.toContain("_twin");
  });
});
