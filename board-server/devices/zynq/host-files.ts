import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";

/** Files of the kernel, whose writing does things and fails with the kernel's reasons. */
export interface HostFiles {
  read(path: string): Promise<string>;
  /** Writes a file that may be there, in one piece. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Names in a folder; of one that is not there, none. */
  list(path: string): Promise<readonly string[]>;
  makeFolder(path: string): Promise<void>;
  /** Takes a folder away as configfs wants it: with what is in it. */
  removeFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** The files of this host. */
export const hostFiles: HostFiles = {
  read: async (path) => (await readFile(path, "utf8")).trim(),
  write: (path, content) => writeFile(path, content),
  list: (path) => readdir(path).catch(() => []),
  makeFolder: async (path) => {
    await mkdir(path);
  },
  removeFolder: (path) => rmdir(path),
  remove: (path) => rm(path, { force: true }),
};
