// As a whole: an old Node that lacks `statfsSync` must get as far as being told so.
import fs from "node:fs";
import { Fixable } from "../lib/say.mjs";

const wantedNode = [20, 19];
const wantedFreeBytes = 3e9;

/** Node new enough, disk large enough; the sentence on failure names the fix. */
export function checkMachine(home) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < wantedNode[0] || (major === wantedNode[0] && minor < wantedNode[1])) {
    throw new Fixable(
      `Boardwalk needs Node ${wantedNode.join(".")} or newer and this is ${process.versions.node}. Install Node 20 LTS and start again.`,
    );
  }
  const { bavail, bsize } = fs.statfsSync(home.path);
  const free = bavail * bsize;
  if (free < 2e8) {
    throw new Fixable(
      `The disk under ${home.path} is full (${Math.round(free / 1e6)} MB free). Free about 3 GB, or set BOARDWALK_HOME to a folder on another disk.`,
    );
  }
  return { nodeVersion: process.versions.node, freeBytes: free, roomy: free > wantedFreeBytes };
}
