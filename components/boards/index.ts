export { boardModelsQuery, boardsQuery } from "./api";
export { boardAppearance } from "./appearance";
export { BoardDrawing } from "./board-drawing";
export { BoardsPage } from "./boards-page";
export {
  type Catalogue,
  CatalogueProvider,
  useBoardFacts,
  useBoardTitle,
  useBoardTitles,
} from "./catalogue";
export { Shelf } from "./shelf";
