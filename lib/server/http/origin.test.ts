import { describe, expect, it } from "vitest";
import { OriginGuard, ownHosts, type Provenance } from "./origin";

const known = [...ownHosts("https://boards.lab", 3000), "Other.lab:81"];
const pages = new OriginGuard({ known, opensReads: true });
const api = new OriginGuard({ known, opensReads: false });
const plain: Provenance = { method: "POST", host: "localhost:3000", origin: null, fetchSite: null };

const reasonOf = (guard: OriginGuard, asked: Partial<Provenance>) =>
  guard.refusalOf({ ...plain, ...asked })?.reason ?? null;

describe("OriginGuard", () => {
  it.each([
    ["boards.lab", null],
    ["BOARDS.lab", null],
    ["other.lab:81", null],
    ["localhost:9999", null],
    ["[::1]:3000", null],
    ["127.0.0.1", null],
    ["other.lab", "HOST_UNKNOWN"],
    ["boards.lab:3000", "HOST_UNKNOWN"],
    ["localhost.evil.test", "HOST_UNKNOWN"],
    ["127.0.0.1.evil.test:3000", "HOST_UNKNOWN"],
    ["", "HOST_UNKNOWN"],
    [null, "HOST_UNKNOWN"],
  ])("answers to the host %s: %s", (host, reason) => {
    expect(reasonOf(api, { host })).toBe(reason);
    expect(reasonOf(pages, { host, method: "GET" })).toBe(reason);
  });

  it.each([
    ["a program", {}, null],
    ["its own page", { origin: "http://localhost:3000", fetchSite: "same-origin" }, null],
    ["a page of a known address", { origin: "https://boards.lab" }, null],
    ["a page on another port", { origin: "http://localhost:9999" }, "CSRF"],
    ["a page of another site", { origin: "https://evil.test" }, "CSRF"],
    ["a page without an address", { origin: "null" }, "CSRF"],
    ["another site without its name", { fetchSite: "cross-site" }, "CSRF"],
    ["a sister site", { fetchSite: "same-site" }, "CSRF"],
    ["a person who typed the address", { fetchSite: "none" }, null],
  ])("lets %s write: %j", (_who, asked, reason) => {
    expect(reasonOf(pages, asked)).toBe(reason);
    expect(reasonOf(api, asked)).toBe(reason);
  });

  it.each([
    ["that says nothing of where it comes from", {}, "CSRF"],
    ["typed into a browser, which changes nothing", { fetchSite: "none" }, "CSRF"],
    ["of its own page", { origin: "https://boards.lab" }, null],
    ["of its own page by an older browser", { fetchSite: "same-origin" }, null],
    ["of another site", { origin: "https://evil.test" }, "CSRF"],
    ["that reads", { method: "GET" }, null],
  ])("takes for a session a request %s: %j", (_which, asked, reason) => {
    expect(pages.refusalOfSession({ ...plain, ...asked })?.reason ?? null).toBe(reason);
  });

  it("lets other sites link to pages, but not read from an interface", () => {
    const link = { method: "GET", fetchSite: "cross-site" };
    expect(reasonOf(pages, link)).toBeNull();
    expect(reasonOf(api, link)).toBe("CSRF");
  });
});
