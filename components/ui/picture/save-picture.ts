import { saveFile } from "../save-file";
import type { PictureColumn } from "./columns";
import { drawSvg } from "./draw-svg";
import { pictureCsv } from "./picture-csv";

/** A picture on the page, and what it was drawn from. */
interface SavedPicture<Row> {
  readonly figure: HTMLElement;
  readonly file: string;
  readonly title: string;
  readonly summary: string;
  readonly columns: readonly PictureColumn<Row>[];
  readonly rows: readonly Row[];
}

/** Has the browser save a picture as it is on the page, or its points. */
export async function savePicture<Row>(
  format: "png" | "svg" | "csv",
  { figure, file, title, summary, columns, rows }: SavedPicture<Row>,
): Promise<void> {
  const name = `${fileName(file)}.${format}`;
  if (format === "csv") return saveFile(name, pictureCsv(columns, rows), "text/csv");
  const svg = await drawSvg(figure, { title, summary });
  if (format === "svg") return saveFile(name, svg.text, "image/svg+xml");
  saveFile(name, await pngOf(svg));
}

/** A name that every file system takes; names of models and clocks are part of it. */
const fileName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}.-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80) || "picture";

/** Pixels of a PNG for each of the page: sharp on paper and on dense screens. */
const perPixel = 2;

async function pngOf({ text, width, height }: Awaited<ReturnType<typeof drawSvg>>): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * perPixel);
  canvas.height = Math.ceil(height * perPixel);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  // `toBlob` waits for an idle page: a second and more on a busy machine.
  const [, coded = ""] = canvas.toDataURL("image/png").split(",");
  if (coded === "") throw new Error("too large for a canvas");
  return new Blob([Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0))], {
    type: "image/png",
  });
}
