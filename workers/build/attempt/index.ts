export { insist } from "./insist";
export { keepLease } from "./lease";
export { type StageTrack, StageTracker } from "./stages";
export { makeWorkFolder, sweepWorkFolders, type WorkFolder } from "./work-folder";
