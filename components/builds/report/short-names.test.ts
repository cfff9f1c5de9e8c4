import { describe, expect, it } from "vitest";
import { shortNames } from "./short-names";

describe("short names", () => {
  it.each([
    {
      why: "the network and the operator are alike",
      names: ["net/dense_1/MatMul", "net/dense_1_2/MatMul"],
      short: ["dense_1", "dense_1_2"],
    },
    {
      why: "only the operators differ",
      names: ["net/a/MatMul", "net/a/Gemm"],
      short: ["MatMul", "Gemm"],
    },
    { why: "nothing is alike", names: ["fc1", "fc2"], short: ["fc1", "fc2"] },
    { why: "one lies deeper", names: ["net/a", "net/b/c"], short: ["a", "b/c"] },
    {
      why: "most, not all, begin with the network",
      names: ["net/a/Softmax/sum", "net/a/Softmax/powers", "MatMul_3"],
      short: ["a/Softmax/sum", "a/Softmax/powers", "MatMul_3"],
    },
    {
      why: "one would be called as another without the network",
      names: ["net/a", "net/b", "a"],
      short: ["net/a", "net/b", "a"],
    },
    {
      why: "a lone layer has no other to differ from",
      names: ["net/dense/MatMul"],
      short: ["dense"],
    },
    { why: "a lone plain name", names: ["fc"], short: ["fc"] },
    { why: "none", names: [], short: [] },
  ])("tell apart where $why", ({ names, short }) => {
    const found = shortNames(names);
    expect(names.map((name) => found.get(name))).toEqual(short);
  });
});
