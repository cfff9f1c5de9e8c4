import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const asked: Locked = read("package.json");
const lock: { lockfileVersion: number; packages: Readonly<Record<string, Locked>> } =
  read("package-lock.json");
const { "": ours, ...packages } = lock.packages;
const settings = readFileSync(".npmrc", "utf8").split("\n");

/** Where a package finds another one, as Node looks for it: below itself, then beside it and everything above. */
function placeOf(name: string, from: string): string | undefined {
  const steps = from === "" ? [] : from.split("/node_modules/");
  const places = [...steps.keys(), steps.length].map((depth) =>
    [...steps.slice(0, depth), depth === 0 ? `node_modules/${name}` : name].join("/node_modules/"),
  );
  return places.toReversed().find((place) => packages[place] !== undefined);
}

describe("the lock file", () => {
  it("is of what package.json asks for, to the version", () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(ours?.dependencies).toEqual(asked.dependencies);
    expect(ours?.devDependencies).toEqual(asked.devDependencies);
    const wanted = Object.entries({ ...asked.dependencies, ...asked.devDependencies });
    expect(wanted.length).toBeGreaterThan(50);
    for (const [name, version] of wanted)
      expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  });

  it("holds everything that a package in it wants", () => {
    const lacking = Object.entries(packages).flatMap(([place, { dependencies = {} }]) =>
      Object.keys(dependencies)
        .filter((name) => placeOf(name, place) === undefined)
        .map((name) => `${place} wants ${name}`),
    );
    expect(lacking).toEqual([]);
  });

  it("knows each package by a SHA-512, but for those that lie within one", () => {
    const known = Object.values(packages).filter(({ inBundle }) => !inBundle);
    expect(known.length).toBeGreaterThan(500);
    const unknown = Object.entries(packages).filter(
      ([place, { inBundle, integrity = "" }]) =>
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) && !(inBundle && isWithin(place)),
    );
    expect(unknown.map(([place]) => place)).toEqual([]);
  });

  it("has them from the registry alone: no other address, no folder, no repository", () => {
    const others = Object.entries(packages).filter(
      ([, { link, resolved, version = "" }]) =>
        link === true ||
        !/^\d+\.\d+\.\d+(-[\w.]+)?(\+[\w.]+)?$/.test(version) ||
        // npm leaves out the registry's own address: whoever has a mirror uses theirs.
        (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/")),
    );
    expect(others.map(([place]) => place)).toEqual([]);
    expect(settings).toContain("omit-lockfile-registry-resolved=true");
  });
});

/** Whether a package that is known lies around this one. */
function isWithin(place: string): boolean {
  const around = place.slice(0, place.lastIndexOf("/node_modules/"));
  return packages[around]?.integrity !== undefined;
}

describe("scripts of packages", () => {
  it("are run neither by npm nor by the setup", () => {
    expect(settings).toContain("ignore-scripts=true");
    expect(readFileSync("scripts/setup/packages.mjs", "utf8")).toContain('"--ignore-scripts"');
  });
});
