export { boardModelsQuery, boardsQuery } from "./api";
export { BoardDrawing } from "./board-drawing";
export { BoardFigure } from "./board-figure";
export { BoardState } from "./board-state";
export {
  type Catalogue,
  CatalogueProvider,
  useBoardFacts,
  useBoardTitle,
  useBoardTitles,
} from "./catalogue";
export { Shelf } from "./shelf";
export { useBoardAppearance, useSlotAppearance } from "./use-appearance";
