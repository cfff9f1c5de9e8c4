export {
  defineHandler,
  type Handler,
  Reply,
} from "./define-handler";
