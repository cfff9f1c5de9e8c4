export {
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerDefinition,
  Reply,
} from "./define-handler";
