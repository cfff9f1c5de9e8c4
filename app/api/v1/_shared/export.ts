import { type Cell, writeCsvRecord } from "@/lib/common/rows";
import { logger } from "@/lib/server/logger";

/** Forms of a list as one file; `jsonl` has an object a line. */
export type ExportFormat = "csv" | "json" | "jsonl";

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json",
  jsonl: "application/jsonl",
};

/** Which file is asked for, by parameter or by header; null for a page of the list. */
export function exportFormat(
  format: ExportFormat | undefined,
  { headers }: Request,
): ExportFormat | null {
  if (format) return format;
  return headers.get("accept")?.startsWith("text/csv") ? "csv" : null;
}

type Row = Readonly<Record<string, Cell>>;

/**
 * Answers a whole list as a file, sent as it is read: no more of it is in memory than one step of `rows`.
 *
 * @param columns Names of the columns, in order; a CSV begins with them.
 */
export function exportFile({
  name,
  format,
  columns,
  rows,
}: {
  readonly name: string;
  readonly format: ExportFormat;
  readonly columns: readonly string[];
  readonly rows: AsyncGenerator<readonly Row[]>;
}): Response {
  const pieces = piecesOf(format, columns, rows);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (err) {
        // The status is sent already: a body that breaks off is how the reader learns of it.
        logger().warn({ err }, "export broke off");
        controller.error(err);
      }
    },
    cancel: () => void pieces.return(undefined),
  });
  return new Response(body, {
    headers: {
      "content-type": mediaTypes[format],
      "content-disposition": `attachment; filename="${name}.${format}"`,
      "x-content-type-options": "nosniff",
    },
  });
}

function piecesOf(
  format: ExportFormat,
  columns: readonly string[],
  rows: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string, void> {
  if (format === "csv") return csvPieces(columns, rows);
  return format === "json" ? jsonPieces(rows) : linePieces(rows);
}

async function* csvPieces(
  columns: readonly string[],
  rows: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string, void> {
  yield writeCsvRecord(columns);
  for await (const step of rows) {
    yield step.map((row) => writeCsvRecord(columns.map((name) => row[name] ?? null))).join("");
  }
}

async function* jsonPieces(rows: AsyncGenerator<readonly Row[]>): AsyncGenerator<string, void> {
  let begun = false;
  yield "[";
  for await (const step of rows) {
    if (step.length === 0) continue;
    yield `${begun ? "," : ""}\n${step.map((row) => JSON.stringify(row)).join(",\n")}`;
    begun = true;
  }
  yield "\n]\n";
}

async function* linePieces(rows: AsyncGenerator<readonly Row[]>): AsyncGenerator<string, void> {
  for await (const step of rows) yield step.map((row) => `${JSON.stringify(row)}\n`).join("");
}
