export { startGrpcServer } from "./server";
