export { type Cells, readCells } from "./read-cells";
export { type ReadRows, type Rows, readRows } from "./read-rows";
export { maxRowsBytes } from "./table";
export { type Cell, writeCsvRecord } from "./write-csv";
