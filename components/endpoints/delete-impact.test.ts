import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "@/lib/common/contract";
import { messages } from "@/messages/en";
import { deleteImpact } from "./delete-impact";

const t = createTranslator({ locale: "en", messages, namespace: "endpoints" });
const endpoint = (name: string, state: Endpoint["state"], serving: number) =>
  ({ name, state, replicas: { serving, wanted: 1 } }) as Endpoint;

describe("what deleting endpoints breaks", () => {
  it("is nothing where none answers", () => {
    expect(deleteImpact([endpoint("a", "failed", 0)], t)).toMatch(
      /^None of them is answering now\./,
    );
  });

  it("names whose clients lose it, and the slots that become free", () => {
    const some = [endpoint("a", "ready", 2), endpoint("b", "failed", 0), endpoint("c", "ready", 1)];
    expect(deleteImpact(some, t)).toMatch(
      /^Clients of a, c get “not found”.* 3 slots on boards are /,
    );
  });

  it("counts those beyond three", () => {
    const five = ["a", "b", "c", "d", "e"].map((name) => endpoint(name, "ready", 1));
    expect(deleteImpact(five, t)).toMatch(/^Clients of a, b, c and 2 more get/);
  });
});
