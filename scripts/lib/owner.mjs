// Who may come in: people with accounts, or one owner, the user who started it or whoever shows its token.
import { readFileSync } from "node:fs";

const loopback = /^(127(\.\d+){3}|localhost|::1)$/;

/**
 * What the processes need to know people by. An address that other machines reach has accounts, unless one owner's token is given.
 * Where the system does not say whose a connection is, the owner is known by a token in the address that is printed.
 *
 * @param {{ secret: (name: string) => string }} home
 * @param {Record<string, string | undefined>} given
 */
export function ownerVariables(home, given = process.env, tellsPeers = systemTellsPeers()) {
  const isOpen = !loopback.test(given.PORTAL_HOST || "127.0.0.1");
  const accounts =
    given.BOARDWALK_ACCOUNTS || (isOpen && !given.BOARDWALK_OWNER_TOKEN ? "on" : "off");
  if (accounts === "on") {
    // The launcher's own calls show it; people never see it.
    const key = given.BOARDWALK_OWNER_TOKEN || home.secret("owner-token");
    return { BOARDWALK_ACCOUNTS: "on", BOARDWALK_OWNER_TOKEN: key };
  }
  const token =
    given.BOARDWALK_OWNER_TOKEN || (tellsPeers ? undefined : home.secret("owner-token"));
  // Who starts it by sudo is its owner, not root alone.
  const uid = given.BOARDWALK_OWNER_UID || given.SUDO_UID;
  return {
    ...(token ? { BOARDWALK_OWNER_TOKEN: token } : {}),
    ...(uid ? { BOARDWALK_OWNER_UID: uid } : {}),
  };
}

/**
 * The address to open in a browser.
 *
 * @param {string} url
 * @param {Record<string, string | undefined>} variables
 */
export const ownerAddress = (
  url,
  { BOARDWALK_OWNER_TOKEN: token, BOARDWALK_ACCOUNTS: accounts },
) => (token && accounts !== "on" ? `${url}/?token=${encodeURIComponent(token)}` : url);

/**
 * Headers of the launcher's own calls.
 *
 * @param {Record<string, string | undefined>} variables
 */
export const ownerHeaders = ({ BOARDWALK_OWNER_TOKEN: token } = process.env) =>
  token ? { authorization: `Bearer ${token}` } : {};

function systemTellsPeers() {
  try {
    return readFileSync("/proc/net/tcp", "latin1").includes("local_address");
  } catch {
    return false;
  }
}
