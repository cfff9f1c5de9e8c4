export { digitsOf, leastCells, type UnrolledCore, unroll } from "./design-unrolled";
