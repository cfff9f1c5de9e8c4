import { describe, expect, it } from "vitest";
import { compileNetlist } from "@/simulator/compile";
import { bus, handNetlist } from "@/tests/simulator/support/hand-netlist";
import { loadSimulation } from "./simulation";

/** y = a, 64 bits straight through. */
const { wasm } = compileNetlist(
  handNetlist({ inputs: { a: bus(2, 64), small: [90] }, outputs: { y: bus(2, 64) } }),
  { top: "top" },
);

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** The module with its interface section changed. */
function withInterface(change: (text: string) => string): Uint8Array {
  const text = new TextDecoder("latin1").decode(wasm);
  const start = text.lastIndexOf('{"schemaVersion"');
  const json = new TextEncoder().encode(change(text.slice(start)));
  const name = new TextEncoder().encode("boardwalk.simulation");
  const leb = (value: number): number[] => [(value & 0x7f) | 0x80, value >> 7];
  const body = [name.length, ...name, ...json];
  const sectionStart = start - name.length - 1 - 1 - leb(body.length).length;
  return Uint8Array.from([...wasm.slice(0, sectionStart), 0, ...leb(body.length), ...body]);
}

describe("values", () => {
  it("pass whole, as numbers up to 53 bits and as big integers above", () => {
    const simulation = loadSimulation(wasm);
    simulation.set("a", 2 ** 53 - 1);
    simulation.eval();
    expect(simulation.get("y")).toBe(2 ** 53 - 1);
    simulation.set("a", 2n ** 63n + 1n);
    simulation.eval();
    expect(simulation.getBig("y")).toBe(2n ** 63n + 1n);
    expect(() => simulation.get("y")).toThrow(
      expect.objectContaining({ reason: "NUMBER_OUT_OF_RANGE" }),
    );
    simulation.set("a", -1);
    simulation.eval();
    expect(simulation.getBig("y")).toBe(2n ** 64n - 1n);
  });

  it("are cut to the width of their port", () => {
    const simulation = loadSimulation(wasm);
    simulation.set("small", 6);
    expect(simulation.get("small")).toBe(0);
    simulation.set("small", -1);
    expect(simulation.get("small")).toBe(1);
  });

  it("are refused under an unknown name or at an output", () => {
    const simulation = loadSimulation(wasm);
    expect(() => simulation.get("b")).toThrow(/b/);
    expect(() => simulation.set("y", 1)).toThrow(/input/);
  });
});

describe("a file that is not a simulation", () => {
  it.each([
    { why: "no WebAssembly", bytes: Uint8Array.of(1, 2, 3) },
    { why: "cut short", bytes: wasm.slice(0, wasm.length - 400) },
    { why: "no interface", bytes: Uint8Array.from(header) },
    {
      why: "an import",
      bytes: Uint8Array.from([
        ...header,
        ...[1, 4, 1, 0x60, 0, 0],
        ...[2, 7, 1, 1, 97, 1, 98, 0, 0],
      ]),
    },
    {
      why: "a start function",
      bytes: Uint8Array.from([
        ...header,
        ...[1, 4, 1, 0x60, 0, 0],
        ...[3, 2, 1, 0],
        ...[8, 1, 0],
        ...[10, 4, 1, 2, 0, 0x0b],
      ]),
    },
    { why: "an interface that is no JSON", bytes: withInterface((text) => `${text}}`) },
    {
      why: "another version",
      bytes: withInterface((text) => text.replace('"schemaVersion":1', '"schemaVersion":2')),
    },
    {
      why: "a slot outside the memory",
      bytes: withInterface((text) => text.replace('"offset":0', '"offset":8000000')),
    },
  ])("is refused: $why", ({ bytes }) => {
    expect(() => loadSimulation(bytes)).toThrow(
      expect.objectContaining({ reason: "ARTIFACT_MISMATCH" }),
    );
  });

  it("is told apart from one that was only rewritten", () => {
    expect(loadSimulation(withInterface((text) => text)).interface.top).toBe("top");
  });
});
