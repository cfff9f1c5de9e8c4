import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Starts all processes, the board server with an enrolment code if it has no identity yet, and waits until they answer.
 * `onSpawned` gets them before they answer, so that they can be stopped at any time.
 */
export async function startStack({
  home,
  bundles,
  variables,
  startProcesses,
  answers,
  extra = {},
  onSpawned = () => {},
}) {
  const processes = startProcesses({
    home,
    bundles,
    variables,
    names: ["portal", "gateway", "control", "build-worker"],
    ...extra,
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
  } catch (error) {
    await processes.stopAll(3000);
    throw error;
  }
  return processes;
}

/** A single-use code when the board server has not enrolled before. */
async function enrolment(variables) {
  if (existsSync(join(variables.BOARD_SERVER_STATE_DIR, "identity.json"))) return {};
  const answer = await fetch(`${variables.PORTAL_URL}/api/v1/boards/enrolments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const { code } = await answer.json();
  return { BOARD_SERVER_ENROL_CODE: code };
}
