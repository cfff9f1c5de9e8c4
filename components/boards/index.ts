export { boardModelsQuery, boardsQuery } from "./api";
export { BoardDrawing } from "./board-drawing";
export { BoardsPage } from "./boards-page";
export {
  type Catalogue,
  CatalogueProvider,
  useBoardFacts,
  useBoardTitle,
  useBoardTitles,
} from "./catalogue";
export { boardLook } from "./look";
export { Shelf } from "./shelf";
