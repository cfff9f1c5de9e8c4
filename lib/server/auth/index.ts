export { authenticate } from "./local-owner";
