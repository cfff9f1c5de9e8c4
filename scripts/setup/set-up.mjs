import { duration, step } from "../lib/say.mjs";
import { checkMachine } from "./machine.mjs";
import { installPackages, packagesAreThere } from "./packages.mjs";
import { startStores } from "./stores.mjs";
import { installTools } from "./tools.mjs";

/**
 * Everything between a fresh clone and running stores: packages, tools, generated code, bundles, pages. What is there
 * already is not done again.
 *
 * @param {object} home
 * @param {{ pages?: boolean, stores?: object }} options Whether the pages of the portal are built too, and who is told of stores.
 */
export async function setUp(home, { pages = true, stores: told = {} } = {}) {
  const { nodeVersion, freeBytes } = checkMachine(home);
  await step("Machine", () => `Node ${nodeVersion}, ${Math.round(freeBytes / 1e9)} GB free`);
  const fresh = !packagesAreThere();
  await step(fresh ? "Packages from npm, about a minute" : "Packages", () => installPackages(home));
  // Imported late: these need the packages.
  const { buildPages, bundle, generateClient } = await import("./build.mjs");
  const tools = installTools(home);
  tools.catch(() => {});
  await step("Database client", () => generateClient(home));
  let bundles = "";
  await step("Processes", async () => {
    bundles = await bundle();
  });
  const started = Date.now();
  const building = pages ? buildPages(home) : Promise.resolve();
  building.catch(() => {});
  let stores;
  await step("Postgres, Redis and storage", async (note) => {
    stores = await startStores(home, note, told);
    return `storage: ${stores.storage}`;
  });
  try {
    await step("FPGA tools (Yosys, nextpnr, icepack)", () => tools);
    if (pages) {
      await step("Pages", async () => {
        await building;
        return `since ${duration(Date.now() - started)}`;
      });
    }
    return { bundles, stores };
  } catch (error) {
    await stores.stop();
    throw error;
  }
}

/** What the entries of `scripts/entries` need to run: packages, the database client, and themselves. Answers the folder of the bundles. */
export async function setUpEntries(home) {
  checkMachine(home);
  if (!packagesAreThere())
    await step("Packages from npm, about a minute", () => installPackages(home));
  const { bundle, generateClient } = await import("./build.mjs");
  await generateClient(home);
  return await bundle();
}
