import { judgeArchive, type Packing } from "./judge";

/**
 * The contents of some files of an archive, by name. It is judged again on the way: by the same code, so that what was
 * judged and what is taken cannot differ.
 *
 * @param wanted Names of files that `judgeArchive` listed.
 * @throws {AppError} as `judgeArchive`; what `onSize` throws, which is told how much is taken so far.
 */
export async function extractFiles(
  bytes: Uint8Array,
  packing: Packing,
  {
    wanted,
    onSize,
  }: { readonly wanted: ReadonlySet<string>; readonly onSize: (sizeBytes: number) => void },
): Promise<Map<string, Uint8Array>> {
  const pieces = new Map([...wanted].map((name): [string, Uint8Array[]] => [name, []]));
  let sizeBytes = 0;
  await judgeArchive(bytes, packing, (name, piece) => {
    const kept = pieces.get(name);
    if (!kept) return;
    sizeBytes += piece.length;
    onSize(sizeBytes);
    kept.push(Uint8Array.from(piece));
  });
  return new Map([...pieces].map(([name, parts]) => [name, new Uint8Array(Buffer.concat(parts))]));
}
