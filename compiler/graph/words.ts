import { cutText, showText } from "@/lib/common/text";

/** A name from a model file, fit for a sentence: quoted, shortened, control and direction characters shown. */
export function quoted(name: string): string {
  const points = [...showText(cutText(name, 200)).replaceAll("`", "\uFFFD")];
  return `\`${points.length > 80 ? `${points.slice(0, 79).join("")}…` : points.join("")}\``;
}

/** `1 value`, `3 values`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** A size in words, `48 bytes`, `12 TiB`; exact below 1 KiB. */
export function sizeInWords(bytes: bigint): string {
  let unit = 0;
  let rest = bytes;
  while (rest >= 1024n && unit < units.length - 1) {
    rest /= 1024n;
    unit += 1;
  }
  return `${rest} ${units[unit]}`;
}

/** A shape as people write it: `[batch, 4]` is `[?, 4]` here. */
export function shapeInWords(shape: readonly number[]): string {
  return `[${shape.map((dimension) => (dimension < 0 ? "?" : dimension)).join(", ")}]`;
}
