export { type Linked, LinkedList } from "./linked-list";
export { RecentMap } from "./recent-map";
