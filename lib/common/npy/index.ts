export { isNpy, readNpyArray, readNpyHead } from "./read-npy-array";
