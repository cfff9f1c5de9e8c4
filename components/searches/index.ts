export { uploadRows } from "./api";
export { BitsSearch } from "./bits-search";
