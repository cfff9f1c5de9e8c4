export { authenticate, ensureLocalOwner } from "./local-owner";
