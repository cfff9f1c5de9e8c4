export { loadHdf5 } from "./hdf5";
export { parseKeras, parseKerasH5 } from "./parse-keras";
