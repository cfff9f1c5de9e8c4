export { boardsPageQuery } from "./api";
export { BoardView } from "./board-view";
export { BoardsPage } from "./boards-page";
