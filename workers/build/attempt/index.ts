export { insist } from "./insist";
export { keepLease } from "./lease";
export { StageTracker } from "./stages";
export { makeWorkFolder, sweepWorkFolders, type WorkFolder } from "./work-folder";
