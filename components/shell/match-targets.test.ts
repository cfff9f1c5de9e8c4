import { describe, expect, it } from "vitest";
import { matchTargets } from "./match-targets";

const targets = [
  { label: "Builds", kind: "Page", href: "/builds" },
  { label: "my-digits", kind: "Endpoint", href: "/endpoints/my-digits" },
  { label: "digits-mlp", kind: "Endpoint", href: "/endpoints/digits-mlp" },
];
const labels = (text: string) => matchTargets(targets, text).map(({ label }) => label);

describe("jumping", () => {
  it("puts names that start with the text first", () => {
    expect(labels("digits")).toEqual(["digits-mlp", "my-digits"]);
  });

  it("finds by kind and name together, whatever the case", () => {
    expect(labels("ENDPOINT mlp")).toEqual(["digits-mlp"]);
  });

  it("offers everything for no text and nothing for nonsense", () => {
    expect(labels("")).toHaveLength(3);
    expect(labels("zzz")).toEqual([]);
  });
});
