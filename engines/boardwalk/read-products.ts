import { z } from "zod";
import { fail } from "@/lib/common/errors";
import type { Products } from "../engine";
import { paths } from "./paths";

/** As much of Yosys's `stat -json` as is read. */
const cellsSchema = z.object({
  design: z.object({ num_cells_by_type: z.record(z.string(), z.number()) }),
});

/** A product of the tools. @throws {AppError} `OUTPUT_MISSING` */
export function textOf(products: Products, path: string): string {
  const text = products.text(path);
  if (text === null) throw fail("OUTPUT_MISSING", `The tools left no ${path}.`);
  return text;
}

/** A product that is JSON. @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID` */
export function parseProduct<Schema extends z.ZodType>(
  schema: Schema,
  products: Products,
  path: string,
): z.infer<Schema> {
  const text = textOf(products, path);
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw fail("OUTPUT_INVALID", `${path} is not the report that was expected.`, { cause });
  }
}

/** Cells of the synthesised design by type, without Yosys's own notes. @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID` */
export function cellCounts(products: Products): Record<string, number> {
  const { design } = parseProduct(cellsSchema, products, paths.cells);
  const cells = Object.entries(design.num_cells_by_type);
  return Object.fromEntries(cells.filter(([type]) => !type.startsWith("$")));
}
