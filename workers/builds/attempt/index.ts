export { insist } from "./insist";
export { isDiskFull, nameFullDisk } from "./is-disk-full";
export { type StageTrack, StageTracker } from "./stages";
export { makeWorkFolder, sweepWorkFolders, type WorkFolder } from "./work-folder";
