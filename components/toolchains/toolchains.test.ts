import { describe, expect, it } from "vitest";
import { toolchainsOf } from "./toolchains";

describe("toolchains", () => {
  const toolchains = toolchainsOf([]);
  const named = (title: string) => toolchains.find((each) => each.title === title);

  it("are told once each, with a line that installs what can be installed", () => {
    expect(new Set(toolchains.map(({ title }) => title)).size).toBe(toolchains.length);
    expect(named("iCE40")).toMatchObject({ setup: "npm start", vendorTools: [] });
    expect(named("Gowin")).toMatchObject({ setup: "npm run setup -- gowin", vendorTools: [] });
  });

  it("of vendors are named, and promise no line of ours", () => {
    const amd = named("AMD");
    expect(amd?.setup).toBeNull();
    expect(amd?.vendorTools.toSorted()).toEqual(["Vitis", "Vivado"]);
    expect(amd?.boards).toEqual(expect.arrayContaining(["Basys 3", "Alveo U50", "ZCU102"]));
    expect(named("Cyclone V")?.vendorTools).toEqual(["Quartus"]);
  });
});
