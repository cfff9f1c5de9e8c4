export { GrpcClient } from "./client";
