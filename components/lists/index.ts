export { useBulk } from "./bulk";
export type { ListColumn } from "./columns";
export type { FilterPart } from "./filter-bar";
export type { SavedView } from "./list-memory";
export { ListPage } from "./list-page";
export type { Selection } from "./selection";
export { SelectionBar } from "./selection-bar";
