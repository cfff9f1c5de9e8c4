export { GrpcClient } from "./client";
export { type GrpcServer, type Method, startGrpcServer } from "./server";
