import { Agent, request } from "node:http";
import { expect, it } from "vitest";
import { startTestGateway } from "@/tests/support/gateway";

it("89 a connection that was idle for a minute is still good", async () => {
  const gateway = await startTestGateway([]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<{ status: number | undefined; localPort: number | undefined }>(
      (resolve, reject) => {
        const asked = request(
          { agent, host: "127.0.0.1", port: gateway.httpPort, path: "/v2/health/live" },
          (response) => {
            const { localPort } = response.socket;
            response.resume();
            response.on("end", () => resolve({ status: response.statusCode, localPort }));
          },
        );
        asked.on("error", reject);
        asked.end();
      },
    );
  const first = await ask();
  await new Promise((resolve) => setTimeout(resolve, 60_500));
  expect(await ask()).toEqual(first);
  agent.destroy();
  await gateway.close();
}, 90_000);
