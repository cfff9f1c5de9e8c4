export { enginesQuery } from "./api";
