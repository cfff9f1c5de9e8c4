// Who owns an installation without accounts: the user who started it, or whoever shows its token.
import { readFileSync } from "node:fs";
import { Fixable } from "./say.mjs";

const loopback = /^(127(\.\d+){3}|localhost|::1)$/;

/**
 * What the processes need to know the owner by. Where the system does not say whose a connection is, the owner is known by a
 * token in the address that is printed.
 *
 * @param {{ secret: (name: string) => string }} home
 * @param {Record<string, string | undefined>} given
 */
export function ownerVariables(home, given = process.env, tellsPeers = systemTellsPeers()) {
  const token =
    given.BOARDWALK_OWNER_TOKEN || (tellsPeers ? undefined : home.secret("owner-token"));
  const host = given.PORTAL_HOST || "127.0.0.1";
  if (!loopback.test(host) && !token) {
    throw new Fixable(
      `PORTAL_HOST=${host} would let other machines in, and Boardwalk has no accounts: leave it at 127.0.0.1, or set BOARDWALK_OWNER_TOKEN, which callers must then show.`,
    );
  }
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
export const ownerAddress = (url, { BOARDWALK_OWNER_TOKEN: token }) =>
  token ? `${url}/?token=${encodeURIComponent(token)}` : url;

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
