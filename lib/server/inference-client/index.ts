export { inferOverGrpc } from "./infer-over-grpc";
