import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseChallenges } from "./challenge";

describe("what a server asks to be shown", () => {
  it.each<[string | string[] | undefined, object[]]>([
    [
      'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull,push"',
      [
        {
          scheme: "bearer",
          parameters: {
            realm: "https://auth.docker.io/token",
            service: "registry.docker.io",
            scope: "repository:a/b:pull,push",
          },
        },
      ],
    ],
    [
      'Basic realm="a \\"quoted\\" lab"',
      [{ scheme: "basic", parameters: { realm: 'a "quoted" lab' } }],
    ],
    [
      'Negotiate, Basic realm=lab , BEARER Realm = "x"',
      [
        { scheme: "negotiate", parameters: {} },
        { scheme: "basic", parameters: { realm: "lab" } },
        { scheme: "bearer", parameters: { realm: "x" } },
      ],
    ],
    [
      ["Basic realm=a", "Bearer realm=b"],
      [
        { scheme: "basic", parameters: { realm: "a" } },
        { scheme: "bearer", parameters: { realm: "b" } },
      ],
    ],
    [undefined, []],
    ["", []],
    ['realm="nobody asks"', []],
    ['Bearer realm="without an end', [{ scheme: "bearer", parameters: {} }]],
    ["x".repeat(5000), []],
  ])("%s is read", (header, challenges) => {
    expect(parseChallenges(header)).toEqual(challenges);
  });

  it("is read to its end, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const { scheme } of parseChallenges(text)) expect(scheme).not.toBe("");
      }),
    );
  });
});
