export { type EndedCall, GrpcClient } from "./client";
export { type GrpcServer, type Method, type ServedCall, startGrpcServer } from "./server";
