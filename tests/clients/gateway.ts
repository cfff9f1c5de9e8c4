import { type Gateway, startGateway } from "@/gateway/gateway";
import { bundle } from "@/scripts/bundle.mjs";
import { serve, standardModels, startFakeBoard } from "@/tests/gateway/fake-board";

/** A gateway before a board with the standard models, whose clients may load and unload them. */
export async function startWithModels(): Promise<Gateway> {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  const paused = new Set<string>();
  let ring = (): void => {};
  const board = await startFakeBoard();
  const endpoints = standardModels().map((model) => serve(board, model));
  const gateway = await startGateway({
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
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://portal.test:3000",
  });
  const close = async (): Promise<void> => {
    await gateway.close();
    await board.close();
  };
  return { ...gateway, close };
}

/** What set-up found for the tests, by the variable that names it. */
export function found(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: run the tests with \`npm test\`.`);
  return value;
}
