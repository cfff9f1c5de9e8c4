import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { patienceMs } from "@/scripts/lib/back-off.mjs";
import { copiesOf } from "@/scripts/lib/copies.mjs";
import * as fragments from "./fragments";

/** Set by the system or by a runner, not by people. */
const ofTheSystem = new Set(["PATH", "NODE_ENV", "VITEST"]);
/** Read by the launcher alone. */
const ofTheLauncher = ["BOARDWALK_STORAGE", "BUILD_WORKERS", "GATEWAYS", "RESTART_PATIENCE_S"];

const listed = new Map(
  readFileSync(".env.example", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, name, value] = line.match(/^([A-Z0-9_]+)=(.*)$/) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
);
const fields = new Map(Object.values(fragments).flatMap((fragment) => Object.entries(fragment)));

/** Variables whose default is not the schema's: the text that stands there, and who sets it. */
const setElsewhere: Readonly<Record<string, string>> = {
  /** The folder's place in the current one. */
  BOARDWALK_HOME: ".boardwalk",
  /** The logger: `silent` in tests. */
  LOG_LEVEL: "info",
  /** The launcher, for its own board server. */
  BOARD_SERVER_NAME: "this-machine",
};

describe(".env.example", () => {
  it("gives each variable the default that it has", () => {
    const compared = [...fields].filter(
      ([name]) => listed.has(name) && !(name in setElsewhere) && listed.get(name) !== "",
    );
    expect(compared.length).toBeGreaterThan(50);
    for (const [name, field] of compared)
      expect([name, field.parse(listed.get(name))]).toEqual([name, field.parse(undefined)]);
    for (const [name, value] of Object.entries(setElsewhere))
      expect([name, listed.get(name)]).toEqual([name, value]);
  });

  it("leaves those empty that have none", () => {
    const empty = [...fields].filter(([name]) => listed.get(name) === "");
    expect(empty.length).toBeGreaterThan(40);
    const withDefault = empty.flatMap(([name, field]) => {
      const { data } = field.safeParse(undefined);
      const isNothing = [undefined, "", "off", false, "[]", "{}"].includes(
        typeof data === "object" ? JSON.stringify(data) : data,
      );
      return isNothing ? [] : [[name, data]];
    });
    expect(withDefault).toEqual([]);
  });

  it("gives those of the launcher the defaults that it has", () => {
    expect(ofTheLauncher.map((name) => [name, listed.get(name)])).toEqual([
      ["BOARDWALK_STORAGE", ""],
      ["BUILD_WORKERS", "1"],
      ["GATEWAYS", "1"],
      ["RESTART_PATIENCE_S", String(patienceMs / 1000)],
    ]);
    expect(copiesOf({ GATEWAYS: "1", BUILD_WORKERS: "1" })).toEqual(copiesOf({}));
  });

  it("lists every variable that a process reads, and no other", () => {
    const known = Object.values(fragments)
      .flatMap((fragment) => Object.keys(fragment))
      .filter((name) => !ofTheSystem.has(name));
    expect([...listed.keys()].sort()).toEqual([...new Set([...known, ...ofTheLauncher])].sort());
  });
});
