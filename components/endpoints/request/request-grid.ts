import type { Endpoint } from "@/lib/common/contract";
import {
  type DocumentInput,
  makeDocument,
  type RequestDocument,
  textOfToken,
  tokenOf,
  writeDocument,
} from "./request-document";

/** One value of a row: an element of an input, with what the model card says of it. */
export interface GridColumn {
  /** Index of the input in the document, and of the element in one row of it. */
  readonly input: number;
  readonly element: number;
  readonly inputName: string;
  readonly datatype: string;
  /** `sepal length`, else `features[2]`. */
  readonly name: string;
  readonly unit: string | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** A request as rows of values: what a form and a table draw. */
export interface RequestGrid {
  readonly document: RequestDocument;
  readonly columns: readonly GridColumn[];
  readonly rows: number;
  /** Whether rows can be added: the first dimension of every input is free. */
  readonly isBatched: boolean;
}

type Described = Pick<Endpoint, "inputs" | "features" | "maxBatchSize">;

const product = (sizes: readonly number[]) => sizes.reduce((total, size) => total * size, 1);

/**
 * The rows of a request; null where its inputs are not those of the endpoint, or have other counts of values than their shapes
 * say, so that there is no telling which value is which.
 */
export function gridOf(document: RequestDocument, endpoint: Described): RequestGrid | null {
  const { inputs } = document;
  const specs = inputs.map(({ name }) => endpoint.inputs.find((each) => each.name === name));
  if (inputs.length === 0 || specs.length !== endpoint.inputs.length) return null;
  const fits = inputs.every(({ shape, tokens, datatype }, at) => {
    const spec = specs[at];
    return (
      spec !== undefined &&
      datatype === spec.datatype &&
      shape.length === spec.shape.length &&
      spec.shape.every((size, axis) => size < 0 || size === shape[axis]) &&
      product(shape) === tokens.length
    );
  });
  if (!fits) return null;
  const isBatched = specs.every((spec) => spec?.shape[0] === -1);
  const rows = isBatched ? (inputs[0]?.shape[0] ?? 0) : 1;
  if (isBatched && inputs.some(({ shape }) => shape[0] !== rows)) return null;
  return { document, columns: columnsOf(inputs, endpoint, isBatched), rows, isBatched };
}

function columnsOf(
  inputs: readonly DocumentInput[],
  { inputs: specs, features }: Described,
  isBatched: boolean,
): GridColumn[] {
  const widthOf = ({ shape, tokens }: DocumentInput) =>
    isBatched ? product(shape.slice(1)) : tokens.length;
  const widths = new Map(inputs.map((input) => [input.name, widthOf(input)]));
  /** What the card says is about the values of a row in the order of the model's inputs. */
  const firstOf = (name: string) => {
    const before = specs.slice(
      0,
      specs.findIndex((each) => each.name === name),
    );
    return before.reduce((sum, each) => sum + (widths.get(each.name) ?? 0), 0);
  };
  return inputs.flatMap((input, at) => {
    const first = firstOf(input.name);
    const width = widthOf(input);
    return Array.from({ length: width }, (_, element): GridColumn => {
      const place = first + element;
      const title = features?.names?.[place];
      const { name, unit } = splitUnit(title || titleOf(input, element, width));
      return {
        input: at,
        element,
        inputName: input.name,
        datatype: input.datatype,
        name,
        unit: features?.units?.[place] || unit,
        low: features?.min?.[place] ?? null,
        high: features?.max?.[place] ?? null,
      };
    });
  });
}

const titleOf = ({ name }: DocumentInput, element: number, width: number) =>
  width === 1 ? name : `${name}[${element}]`;

/** `sepal length (cm)` is a name with its unit. */
function splitUnit(title: string): { readonly name: string; readonly unit: string | null } {
  const [, name, unit] = /^(.*\S)\s*[([]([^()[\]\s\d]{1,12})[)\]]$/.exec(title) ?? [];
  return name && unit ? { name, unit } : { name: title, unit: null };
}

/** The element of a row and column, by its place in its input. */
export function placeOf({ columns, document }: RequestGrid, row: number, column: number) {
  const { input = 0, element = 0 } = columns[column] ?? {};
  const shape = document.inputs[input]?.shape ?? [];
  const width = product(shape.slice(1));
  return { input, element: row * width + element };
}

/** What stands in a cell, as people read it. */
export function cellOf(grid: RequestGrid, row: number, column: number): string {
  const { input, element } = placeOf(grid, row, column);
  return textOfToken(grid.document.inputs[input]?.tokens[element] ?? "");
}

/** All rows as people read them. */
export function cellsOf(grid: RequestGrid): string[][] {
  return Array.from({ length: grid.rows }, (_, row) => rowOf(grid, row));
}

export function rowOf(grid: RequestGrid, row: number): string[] {
  return grid.columns.map((_, column) => cellOf(grid, row, column));
}

/** The text of a request with these rows in place of its own; what else it says stays. */
export function withRows(grid: RequestGrid, rows: readonly (readonly string[])[]): string {
  const { document, columns, isBatched } = grid;
  const inputs = document.inputs.map((input, at): DocumentInput => {
    const own = columns.flatMap((column, index) => (column.input === at ? [index] : []));
    const tokens = rows.flatMap((row) =>
      own.map((index) => tokenOf(input.datatype, row[index] ?? "")),
    );
    const shape = isBatched ? [rows.length, ...input.shape.slice(1)] : input.shape;
    return { ...input, shape, tokens };
  });
  return writeDocument({ ...document, inputs });
}

/** The request of some of the rows, for one call of several: as it was written, without its id. */
export function sliceRows(grid: RequestGrid, first: number, count: number): string {
  const { document } = grid;
  const inputs = document.inputs.map((input): DocumentInput => {
    const width = product(input.shape.slice(1));
    const tokens = input.tokens.slice(first * width, (first + count) * width);
    return { ...input, tokens, shape: [count, ...input.shape.slice(1)] };
  });
  const members = document.members.filter(({ key }) => key !== "id");
  return writeDocument({ members, inputs });
}

/** An empty request of an endpoint: one row of zeros, or of whatever stands for none. */
export function blankDocument(inputs: Endpoint["inputs"]): string {
  return writeDocument(
    makeDocument(
      inputs.map(({ name, datatype, shape }) => {
        const sizes = shape.map((size) => (size < 0 ? 1 : size));
        const zero = datatype === "BYTES" ? '""' : datatype === "BOOL" ? "false" : "0";
        const tokens = Array.from({ length: product(sizes) }, () => zero);
        return { name, datatype, shape: sizes, tokens };
      }),
    ),
  );
}
