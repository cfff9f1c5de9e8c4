export { getBoard, listBoardModels, listBoards } from "./queries";
