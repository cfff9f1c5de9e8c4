// What `Dockerfile` runs while it makes the image: `packages`, then `build` with the sources beside them.
import { symlinkSync } from "node:fs";
import { openHome } from "./lib/home.mjs";
import { end, step } from "./lib/say.mjs";
import { installPackages } from "./setup/packages.mjs";
import { installTools } from "./setup/tools.mjs";

main().catch(end);

async function main() {
  const home = openHome();
  await step("Packages", () => installPackages(home));
  if (process.argv[2] === "packages") return;
  // Imported late: these need the packages.
  const { buildPages, bundle, generateClient } = await import("./setup/build.mjs");
  await step("FPGA tools (Yosys, nextpnr, icepack)", () => installTools(home));
  await step("Database client", () => generateClient(home));
  await step("Processes", async () => symlinkSync(await bundle(), home.at("bundles")));
  await step("Pages", () => buildPages(home));
}
