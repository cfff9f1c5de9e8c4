import { measureConnections } from "./scale/connections";
import { measureEndpoints } from "./scale/endpoints";
import { measureGateways } from "./scale/gateways";
import { measureGrowth } from "./scale/growth";

/**
 * How far one gateway goes, with a database behind it and its checks, limits and counts on: 1,000 endpoints, 10,000 connections,
 * several gateways, and what it holds after many requests. `-- endpoints`, `connections`, `gateways` or `growth` takes one of them.
 */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  endpoints: measureEndpoints,
  connections: measureConnections,
  gateways: measureGateways,
  growth: measureGrowth,
};
const words = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) {
  if (words.length === 0 || words.includes(name)) await measure();
}
