import { z } from "zod";
import { fail } from "@/lib/common/errors";
import type { Products } from "../engine";
import { paths } from "./paths";

const cellsSchema = z.record(z.string(), z.number());

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

/** Cells of the netlist that is placed by type, without Yosys's own notes. @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID` */
export function cellCounts(products: Products): Record<string, number> {
  const cells = Object.entries(parseProduct(cellsSchema, products, paths.cells));
  return Object.fromEntries(cells.filter(([type]) => !type.startsWith("$")));
}
