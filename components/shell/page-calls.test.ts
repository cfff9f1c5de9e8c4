import { describe, expect, it } from "vitest";
import { callsOf, curlOf } from "./page-calls";

const of = (address: string) => {
  const { pathname, searchParams } = new URL(address, "http://portal");
  return callsOf(pathname, searchParams);
};

describe("the calls behind a page", () => {
  it.each([
    [
      "/builds?state=failed&engine=onnx&page=2&view=table",
      "/api/v1/builds?state=failed&engine=onnx&limit=50",
      "a list with its filters, without what only the page knows",
    ],
    ["/builds?trend=7d", "/api/v1/builds/trend?window=7d", "the stretch of a chart"],
    [
      "/builds/bld_1?attempt=2",
      "/api/v1/builds/bld_1/log?attempt=2&from=1&limit=1000",
      "an attempt",
    ],
    ["/builds/compare?ids=bld_1,bld_2", "/api/v1/builds/bld_2", "each compared build"],
    [
      "/boards/brd_1?part=tests&after=xyz",
      "/api/v1/boards/brd_1/history?part=tests&cursor=xyz",
      "a page of a history",
    ],
    [
      "/endpoints/iris?tab=metrics&range=24h",
      "/api/v1/endpoints/iris/traffic?range=24h",
      "a time range",
    ],
    [
      "/endpoints/iris?tab=requests&outcome=server",
      "/api/v1/endpoints/iris/requests?outcome=server",
      "a tab's filter",
    ],
    ["/firmware/sha256:ab", "/api/v1/artifacts/sha256:ab", "a digest"],
    ["/settings/storage", "/api/v1/settings/storage", "a part of the settings"],
    ["/", "/api/v1/builds/overview", "home"],
  ])("of %s has %s (%s)", (address, path) => {
    expect(of(address).reads).toContain(path);
  });

  it.each(["/glossary", "/errors/VALIDATION", "/settings/appearance", "/constructor", "/nowhere"])(
    "of %s are none",
    (address) => {
      expect(of(address)).toEqual({ reads: [], commands: [] });
    },
  );

  it("let nothing of an address reach the shell", () => {
    const hostile = "$(id)`id`!!\"'\\;&";
    const address = `/endpoints/${encodeURIComponent(hostile)}?tab=logs&search=${encodeURIComponent(hostile)}`;
    const { reads, commands } = of(address.replace("%24", "$"));
    for (const command of [...reads.map((path) => curlOf(path)), ...commands]) {
      const quoted = /"\$BOARDWALK_URL([^"]*)"$/.exec(command)?.[1];
      expect(quoted, command).toMatch(/^[\w\-./?&=%:+~*]*$/);
    }
  });
});
