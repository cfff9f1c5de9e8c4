export { listenAddress } from "./listen-address";
export { type ListenAddress, startTensorServer, type TensorServer } from "./tensor-server";
