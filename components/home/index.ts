export { Home } from "./home";
