export { leastCells, type UnrolledCore, unroll } from "./design-unrolled";
