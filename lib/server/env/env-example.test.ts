import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as fragments from "./fragments";

/** Set by the system or by a runner, not by people. */
const ofTheSystem = new Set(["PATH", "NODE_ENV", "VITEST"]);
/** Read by the launcher alone. */
const ofTheLauncher = ["BOARDWALK_STORAGE", "BUILD_WORKERS", "GATEWAYS", "RESTART_PATIENCE_S"];

describe(".env.example", () => {
  it("lists every variable that a process reads, and no other", () => {
    const known = Object.values(fragments)
      .flatMap((fragment) => Object.keys(fragment))
      .filter((name) => !ofTheSystem.has(name));
    const listed = readFileSync(".env.example", "utf8")
      .split("\n")
      .flatMap((line) => line.match(/^([A-Z0-9_]+)=/)?.[1] ?? []);
    expect(listed.sort()).toEqual([...new Set([...known, ...ofTheLauncher])].sort());
  });
});
