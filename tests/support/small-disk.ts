import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@/lib/common/errors";

/** A disk of its own under a folder, which can be filled. */
export interface SmallDisk {
  /** Leaves no block free, until `empty`. */
  fill(): void;
  empty(): void;
  /** Takes the disk away, and what is on it. */
  close(): void;
}

/**
 * Moves a folder, its owners and modes with it, to a disk in memory that is mounted in its place. Nobody may use it meanwhile.
 *
 * @param freeBytes How much room the disk has beside what the folder holds.
 * @throws {Error} With the words of `mount`, where it is refused: it takes root, or CAP_SYS_ADMIN in the mount namespace.
 */
export function moveToSmallDisk(folder: string, freeBytes: number): SmallDisk {
  const { uid, gid } = statSync(folder);
  const former = `${folder}.former`;
  const [sizeKb = "0"] = execFileSync("du", ["-sk", folder], { encoding: "utf8" }).split("\t");
  const sizeBytes = Number(sizeKb) * 1024 + freeBytes;
  renameSync(folder, former);
  mkdirSync(folder);
  try {
    const options = `size=${sizeBytes},mode=700,uid=${uid},gid=${gid}`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(former, folder);
    throw error;
  }
  execFileSync("cp", ["-a", `${former}/.`, folder]);
  rmSync(former, { recursive: true, force: true });
  const ballast = join(folder, "ballast");
  return {
    fill() {
      const block = Buffer.alloc(4096);
      try {
        for (;;) appendFileSync(ballast, block);
      } catch (error) {
        if (systemCodeOf(error) !== "ENOSPC") throw error;
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    close: () => execFileSync("umount", ["--lazy", folder]),
  };
}
