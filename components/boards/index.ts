export { boardModelsQuery, boardsQuery } from "./api";
export { BoardDrawing } from "./board-drawing";
export { BoardFigure } from "./board-figure";
export { BoardsPage } from "./boards-page";
export { type Catalogue, CatalogueProvider, useBoardFacts, useBoardTitle } from "./catalogue";
export { boardLook } from "./look";
export { Shelf } from "./shelf";
