import { expect, it } from "vitest";
import type { Endpoint } from "@/lib/common/contract";
import { inHomeOrder } from "./in-home-order";

const endpoint = (name: string, boardKind: string, state = "ready") =>
  ({ name, boardKind, state }) as Endpoint;

it("puts hardware first, then what is in trouble, and else keeps the order", () => {
  const ordered = inHomeOrder([
    endpoint("cpu", "cpu"),
    endpoint("one", "simulated"),
    endpoint("two", "simulated", "degraded"),
    endpoint("board", "physical"),
    endpoint("three", "simulated"),
  ]);
  expect(ordered.map(({ name }) => name)).toEqual(["board", "two", "one", "three", "cpu"]);
});
