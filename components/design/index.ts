export { Gallery } from "./gallery";
