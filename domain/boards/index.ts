export { askBoard, drainBoard, reloadBoard, resumeBoard } from "./commands";
export { listFitting, requireFitting } from "./fitting";
export { getBoard } from "./get-board";
export { getAvailability, listHistory } from "./history";
export { countBoards, exportBoards, listBoards } from "./lists";
export { noteSilence, noteStates } from "./note-states";
export { getBoardModelDetail, listBoardModels } from "./queries";
export { expireTasks, listTaskCommands, storeTasks } from "./tasks";
