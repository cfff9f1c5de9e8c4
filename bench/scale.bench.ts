import { measureConnections } from "./scale/connections";
import { measureEndpoints } from "./scale/endpoints";
import { measureGateways } from "./scale/gateways";
import { measureGrowth } from "./scale/growth";
import { measureSteady } from "./scale/steady";

/**
 * How far one gateway goes, with a database behind it and its checks, limits and counts on: 1,000 endpoints, 10,000 connections,
 * several gateways, what it holds after many requests, and whether an installation stands still under a steady load.
 * `-- endpoints`, `connections`, `gateways`, `growth` or `steady` takes one of them.
 */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  endpoints: measureEndpoints,
  connections: measureConnections,
  gateways: measureGateways,
  growth: measureGrowth,
  steady: measureSteady,
};
const words = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) {
  if (words.length === 0 || words.includes(name)) await measure();
}
