import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownerHeaders } from "./owner.mjs";

/**
 * Starts all processes, the board server with a fresh enrolment code until it has enrolled, and waits until they answer.
 * `onSpawned` gets them before they answer, so that they can be stopped at any time. `copies` are further processes by name
 * (`gateway-2`), with the variables of each.
 */
export async function startStack({
  home,
  bundles,
  variables,
  startProcesses,
  answers,
  told = {},
  copies = {},
  onSpawned = () => {},
}) {
  const processes = startProcesses({
    home,
    bundles,
    variables,
    names: ["portal", "gateway", "control", "build-worker"],
    variablesOf: {
      "board-server": () => enrolment(variables),
      ...Object.fromEntries(Object.entries(copies).map(([name, own]) => [name, () => own])),
    },
    ...told,
  });
  onSpawned(processes);
  try {
    await answers(`${variables.PORTAL_URL}/api/v1/engines`, {
      what: `The portal (its words are in ${home.logFile("portal")})`,
    });
    await answers(`${variables.GATEWAY_URL}/v2/health/live`, {
      what: `The gateway (its words are in ${home.logFile("gateway")})`,
    });
    processes.start("board-server", await enrolment(variables));
    for (const [name, own] of Object.entries(copies)) processes.start(name, own);
  } catch (error) {
    await processes.stopAll(3000);
    throw error;
  }
  return processes;
}

/** A single-use code while the board server has not enrolled: each of its starts gets a new one. */
export async function enrolment(variables) {
  if (isEnrolled(variables.BOARD_SERVER_STATE_DIR)) return {};
  const answer = await fetch(`${variables.PORTAL_URL}/api/v1/boards/enrolments`, {
    method: "POST",
    headers: { "content-type": "application/json", ...ownerHeaders(variables) },
    body: "{}",
    signal: AbortSignal.timeout(10_000),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error?.message ?? `status ${answer.status}`);
  return { BOARD_SERVER_ENROL_CODE: body.code };
}

function isEnrolled(stateDir) {
  const journal = join(stateDir, "state.json");
  return existsSync(journal) && JSON.parse(readFileSync(journal, "utf8")).serverId !== null;
}
