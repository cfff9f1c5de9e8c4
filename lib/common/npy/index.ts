export { isNpy, type NpyArray, type NpyHead, readNpyArray, readNpyHead } from "./read-npy-array";
