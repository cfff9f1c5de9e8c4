import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { BuildWorker } from "@/lib/common/contract";
import { inEnglish } from "@/tests/support/in-language";
import { Notices } from "./sandbox-banner";
import { sandboxNotices } from "./sandbox-notices";

const worker = (more: Partial<BuildWorker>): BuildWorker => ({
  name: "one-1",
  host: "one",
  sandbox: "bubblewrap",
  mend: null,
  slots: 1,
  missing: null,
  tools: null,
  seenAt: "2026-01-01T00:00:00.000Z",
  ...more,
});
const draw = (...workers: BuildWorker[]) =>
  renderToStaticMarkup(inEnglish(createElement(Notices, { notices: sandboxNotices(workers) })));

describe("the banner of the sandbox", () => {
  it("draws nothing while no worker is heard of, or all have the whole sandbox", () => {
    expect(draw()).toBe('<div role="status"></div>');
    expect(draw(worker({}), worker({ host: "two" }))).toBe('<div role="status"></div>');
  });

  it.each([
    ["none", "without a sandbox on one", "apt-get install bubblewrap, then unset SANDBOX"],
    ["setpriv", "in a weaker sandbox on one", "apt-get install bubblewrap"],
  ] as const)("says of %s whom it concerns and what mends it", (sandbox, title, mend) => {
    const drawn = draw(worker({ name: "one-2" }), worker({ sandbox, mend }));
    expect(drawn).toContain(`Tools run ${title}.`);
    expect(drawn).toContain("trusts");
    expect(drawn).toContain(`<code>${mend}</code>`);
  });

  it("says it once for each machine and way, the worst first, and escapes what a machine is called", () => {
    const drawn = draw(
      worker({ sandbox: "setpriv", host: "<b>" }),
      worker({ sandbox: "none", host: "two", name: "two-1" }),
      worker({ sandbox: "none", host: "two", name: "two-2" }),
    );
    expect(drawn.match(/without a sandbox on two/g)).toHaveLength(1);
    expect(drawn.indexOf("without a sandbox")).toBeLessThan(drawn.indexOf("weaker"));
    expect(drawn).toContain("&lt;b&gt;");
  });
});
