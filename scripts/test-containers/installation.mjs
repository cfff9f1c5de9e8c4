// What an operator does with an installation in containers, and what can be looked at in it.
import { join } from "node:path";
import { root } from "../lib/home.mjs";
import { ask, run } from "../lib/run.mjs";
import { openly } from "../lib/umask.mjs";

export const stores = ["postgres", "redis", "storage"];
export const roles = ["portal", "gateway", "control", "build-worker", "board-server"];

/** Between two looks at something that is waited for. */
const pauseMs = 1000;
const patienceMs = 900_000;

/**
 * @param {{ home: object, project: string, environment: Record<string, string> }} options Settings of compose are in the
 *   environment.
 */
export function openContainers({ home, project, environment }) {
  /** With the person's own file modes, since other users read the files of an image. */
  const command = (name, program, args) =>
    openly(() =>
      run(program, args, {
        cwd: root,
        env: environment,
        logFile: home.logFile(`containers-${name}`),
        fix: `\`${program} ${args[0]}\` failed.`,
      }),
    );
  const tell = (...args) => ask("podman", args, { env: environment, timeoutMs: 60_000 });
  const nameOf = (service, number = 1) => `${project}_${service}_${number}`;
  return {
    command,
    /** What a command of Podman says; null where it fails. */
    tell,
    nameOf,
    compose: (name, args) =>
      command(name, "podman-compose", [
        ...["--project-name", project, "--file", join(root, "docker-compose.yml")],
        ...["--file", join(root, "tests/containers/docker-compose.yml"), ...args],
      ]),
    podman: (name, args) => command(name, "podman", args),
    /** Resolves once the health check of a container is content: it is run here, as nobody else does without systemd. */
    healthy: (service, number) =>
      until(`${nameOf(service, number)} is healthy`, async () => {
        const words = await tell("healthcheck", "run", nameOf(service, number));
        return words !== null;
      }),
    /** What a role says to `/healthz`, once it lacks nothing. */
    lacksNothing: (service, number) =>
      until(`${nameOf(service, number)} lacks nothing`, async () => {
        const words = await tell(
          ...["exec", nameOf(service, number), "node", "scripts/role.mjs", "health"],
        );
        return words?.startsWith("200 ") ? words : null;
      }),
    inspect: async (name) => JSON.parse((await tell("inspect", name)) ?? "[]")[0],
  };
}

/**
 * Looks again and again, and answers what was found.
 *
 * @throws {Error} When nothing was found for minutes.
 */
export async function until(what, look) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`It is not so after ${patienceMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
