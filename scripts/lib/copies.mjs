import { Fixable } from "./say.mjs";

/** What a further process of each kind needs of its own: ports, so many above those of the one before. */
const kinds = [
  {
    name: "gateway",
    count: "GATEWAYS",
    ports: { GATEWAY_HTTP_PORT: 8000, GATEWAY_GRPC_PORT: 8001, GATEWAY_METRICS_PORT: 8002 },
  },
  { name: "build-worker", count: "BUILD_WORKERS", ports: { WORKER_METRICS_PORT: 8005 } },
];
const portStep = 10;
const most = 16;

/**
 * The processes beside the first of their kind that `GATEWAYS` and `BUILD_WORKERS` ask for, such as `gateway-2`, each with its ports.
 *
 * @param {Record<string, string | undefined>} given
 * @returns {Record<string, Record<string, string>>}
 * @throws {Fixable} Where a count is not a whole number from 1 to 16.
 */
export function copiesOf(given) {
  const copies = {};
  for (const { name, count, ports } of kinds) {
    const wanted = Number(given[count] || 1);
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > most) {
      throw new Fixable(`${count}=${given[count]} is not a whole number from 1 to ${most}.`);
    }
    for (let n = 2; n <= wanted; n++) copies[`${name}-${n}`] = portsOf(n, ports, given);
  }
  return copies;
}

/** 0 asks for any free port, for each of them. */
function portsOf(n, ports, given) {
  return Object.fromEntries(
    Object.entries(ports).map(([variable, usual]) => {
      const first = Number(given[variable] ?? usual);
      return [variable, String(first === 0 ? 0 : first + (n - 1) * portStep)];
    }),
  );
}
