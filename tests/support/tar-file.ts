import { tarEnd, tarHeader, tarPadding } from "@/lib/server/tar";

/** A tar of files; `alter` changes a header before its sum is made, for archives that nobody should take. */
export function tarOf(
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
  alter: (header: Buffer, name: string) => void = () => {},
): Buffer {
  const parts = files.flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const header = Buffer.from(tarHeader("name", bytes.length));
    header.fill(0, 0, 100).write(name);
    alter(header, name);
    return [withSum(header), bytes, tarPadding(bytes.length)];
  });
  return Buffer.concat([...parts, tarEnd]);
}

function withSum(header: Buffer): Buffer {
  header.write("        ", 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** The files of a tar, by name. */
export function untar(bytes: Uint8Array): Map<string, Buffer> {
  const all = Buffer.from(bytes);
  const files = new Map<string, Buffer>();
  for (let at = 0; all[at] !== 0; ) {
    const name = all.toString("latin1", at, at + 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(all.toString("latin1", at + 124, at + 135), 8);
    files.set(name, all.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
