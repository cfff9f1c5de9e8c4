export { type ListenAddress, startTensorServer, type TensorServer } from "./tensor-server";
