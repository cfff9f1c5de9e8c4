export { serveBond } from "./serve-bond";
