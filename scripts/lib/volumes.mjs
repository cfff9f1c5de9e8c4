// In containers each role keeps its part of the data folder in a volume of its own. A backup gathers the parts, a
// restoration hands them out.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Fixable } from "./say.mjs";

/** Where `docker-compose.yml` shows the volumes to those two, each under the name of its role. */
const volumes = "/volumes";

/** Who keeps which files; folders in them are caches. */
const parts = [
  { role: "portal", folder: "keys", holds: (name) => name.startsWith("control.pem") },
  { role: "gateway", folder: "keys", holds: (name) => name.startsWith("gateway.pem") },
  { role: "build-worker", folder: "keys", holds: (name) => name.startsWith("signing.pem") },
  { role: "connections", folder: "keys", holds: (name) => name.startsWith("connections.key") },
  { role: "board-server", folder: "board-server", holds: () => true },
];

/**
 * Copies what the roles keep into the data folder.
 *
 * @throws {Fixable} When a role has kept nothing yet.
 */
export function gatherVolumes(home) {
  for (const { role, folder, holds } of parts) {
    const from = join(volumes, role, folder);
    if (!copyFiles(from, home.at(folder), holds)) {
      throw new Fixable(
        `The volume of ${role} has no ${folder} yet. Wait until all containers are healthy, and back up again.`,
      );
    }
  }
}

/** Copies what the data folder holds to the roles that keep it. */
export function handOutVolumes(home) {
  for (const { role, folder, holds } of parts)
    copyFiles(home.at(folder), join(volumes, role, folder), holds);
}

/** @throws {Fixable} When a role keeps something already. */
export function requireEmptyVolumes() {
  const taken = parts.find(({ role, folder, holds }) =>
    filesIn(join(volumes, role, folder)).some(holds),
  );
  if (!taken) return;
  throw new Fixable(
    `The volume of ${taken.role} is not empty, and a backup is never restored over anything. Restore into new volumes: take the old ones down, or use another project name.`,
  );
}

/** Copies plain files, readable by their owner alone, and answers how many. */
function copyFiles(from, to, holds) {
  const names = filesIn(from).filter(holds);
  if (names.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) {
    copyFileSync(join(from, name), join(to, name));
    chmodSync(join(to, name), 0o600);
  }
  return names.length;
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}
