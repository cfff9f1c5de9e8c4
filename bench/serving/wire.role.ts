import { startWireServer } from "@/gateway/grpc/wire/server";
import { ByteBudget } from "@/gateway/intake";
import { ConnectionCap } from "@/lib/server/http";
import { collectSeldom } from "@/lib/server/process";
import { inferPath } from "./grpc-load";
import { transportCall } from "./transport-call";

// Our gRPC over our HTTP/2, with all limits and deadlines of the gateway; the argument names the call.
collectSeldom();
const { answer } = transportCall(process.argv[2] ?? "");
const { port } = await startWireServer({
  host: "127.0.0.1",
  port: 0,
  maxMessageBytes: 64 * 2 ** 20,
  budget: new ByteBudget(),
  connections: new ConnectionCap(1000),
  maxConnections: 1000,
  methods: new Map([
    [inferPath, { kind: "unary", answer: ({ call, request }) => call.end(answer(request)) }],
  ]),
  onCut: (cause) => console.error(`cut: ${cause}`),
});
process.send?.({ port });
process.on("disconnect", () => process.exit(0));
