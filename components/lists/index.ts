export { useBulk } from "./bulk";
export type { ListColumn } from "./columns";
export { CursorPages } from "./cursor-pages";
export type { FilterPart } from "./filter-bar";
export type { SavedView } from "./list-memory";
export { ListPage } from "./list-page";
export { SearchBox } from "./search-box";
export type { Selection } from "./selection";
export { SelectionBar } from "./selection-bar";
