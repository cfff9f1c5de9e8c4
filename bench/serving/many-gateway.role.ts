import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createRouteReader } from "@/domain/routes";
import { writeTraffic } from "@/domain/traffic";
import { startGateway } from "@/gateway/gateway";
import { listen } from "@/lib/server/db";
import { OwnerGuard } from "@/lib/server/http";
import type { Look } from "./look";

// The gateway as `npm start` starts it: routes and traffic from the database, all checks and limits on. Asked over its channel, it
// collects its garbage and tells what it holds.
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const gateway = await startGateway({
  load: createRouteReader(),
  listen: (onRing) => listen("route", { onNotify: onRing, onReconnect: onRing }),
  traffic: { write: writeTraffic },
  access: { owner: new OwnerGuard() },
  host: "127.0.0.1",
  httpPort: 0,
  metricsPort: 0,
  allowedHosts: [],
  portalUrl: "http://localhost:3000",
});
const { httpPort: port, grpcPort, metricsPort } = gateway;
process.send?.({ port, grpcPort, metricsPort });
process.on("message", () => {
  // What a first collection finalises, a second one frees.
  collect();
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo();
  process.send?.({
    residentBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
    handles: handles.length,
    connections: handles.filter((name) => name === "TCPSocketWrap").length,
  } satisfies Look);
});
process.on("disconnect", () => process.exit(0));
