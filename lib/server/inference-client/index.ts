export { type GrpcAnswer, inferOverGrpc } from "./infer-over-grpc";
