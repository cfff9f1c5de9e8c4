export { insist } from "./insist";
export { type StageTrack, StageTracker } from "./stages";
export { makeWorkFolder, sweepWorkFolders, type WorkFolder } from "./work-folder";
