import { vi } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { startTestGateway } from "@/tests/support/gateway";
import { startRealBoard } from "@/tests/support/real-board";
import { serveRealModels } from "@/tests/support/real-models";

/** A gateway before a board server with the checklist's models, whose clients may load and unload them. */
export async function startWithModels(): Promise<Gateway> {
  const paused = new Set<string>();
  let ring = (): void => {};
  const board = await startRealBoard();
  const endpoints = await serveRealModels(board);
  const gateway = await startTestGateway(endpoints, {
    load: async () => ({
      endpoints: endpoints.map((each) =>
        paused.has(each.name) ? { ...each, state: "paused" as const } : each,
      ),
    }),
    listen: (onRing) => {
      ring = onRing;
      return { close: async () => {} };
    },
    control: {
      async setPaused(name, value) {
        if (value) paused.add(name);
        else paused.delete(name);
        ring();
        return endpoints.some((each) => each.name === name);
      },
    },
  });
  for (const { name, state } of endpoints) if (state === "ready") await isReached(gateway, name);
  const close = async (): Promise<void> => {
    await gateway.close();
    await board.close();
  };
  return { ...gateway, close };
}

/** Programs of others ask at once: on a busy machine the gateway may not have reached every board yet. */
const isReached = ({ httpPort }: Gateway, name: string) =>
  vi.waitUntil(
    async () => (await fetch(`http://127.0.0.1:${httpPort}/v2/models/${name}/ready`)).ok,
    { timeout: 30_000 },
  );

/** What set-up found for the tests, by the variable that names it. */
export function found(variable: string): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(`${variable} is not set: run the tests with \`npm run test:judges\`.`);
  return value;
}
