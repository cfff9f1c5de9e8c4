export {
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerDefinition,
  Reply,
} from "./define-handler";
export { parseStrictJson } from "./scan-json";
export { validate } from "./validate";
