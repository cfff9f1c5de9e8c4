import { readFileSync } from "node:fs";
import { z } from "zod";
import { pace } from "@/lib/server/env/fragments";
import { deploy, saying, untilReady, upload } from "@/tests/support/client";
import { startInstallation } from "@/tests/support/installation";
import { modelName, modelPath } from "./model";
import type { Server } from "./server";

/**
 * What `npm start` starts, at its usual pace, with so many endpoints on the CPU ready: the net under measurement and others of its
 * size, each a model of its own in a process of its own, all checks, limits, counts and the access hook as people have them.
 */
export async function startWhole(endpoints: number): Promise<Server> {
  const usual = Object.entries(z.object(pace).parse({}));
  const installation = await startInstallation("whole", {
    variables: {
      ...Object.fromEntries(usual.map(([name, seconds]) => [name, String(seconds)])),
      BOARD_SERVER_CPU_SLOTS: String(endpoints),
      LOG_LEVEL: "warn",
    },
  });
  try {
    const bytes = readFileSync(modelPath);
    const others = Array.from({ length: endpoints - 1 }, (_, index) => `${modelName}-${index + 1}`);
    const names = [modelName, ...others];
    for (const name of names) {
      const own = name === modelName ? bytes : saying(bytes, name);
      const { status, body } = await upload(installation, `${name}.onnx`, own);
      if (status >= 300) throw new Error(`the model was not taken: ${JSON.stringify(body)}`);
      await deploy(installation, {
        name,
        engine: "onnx",
        model: { url: body.url },
        board: { model: "cpu", kind: "cpu" },
      });
    }
    for (const name of names) await untilReady(installation, name, 300_000);
  } catch (error) {
    await installation.stop();
    throw error;
  }
  const port = Number(installation.variables["GATEWAY_HTTP_PORT"]);
  const grpc = Number(installation.variables["GATEWAY_GRPC_PORT"]);
  const { running } = installation.processes;
  return {
    name: "Boardwalk",
    ports: { JSON: port, binary: port, gRPC: grpc },
    metricsPort: Number(installation.variables["GATEWAY_METRICS_PORT"]),
    roots: () => [
      ...[...running.values()].flatMap(({ pid }) => pid ?? []),
      ...installation.stores.pids.values(),
    ],
    close: () => installation.stop(),
  };
}
