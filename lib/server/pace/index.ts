export { Pace, PaceOfEach } from "./pace";
