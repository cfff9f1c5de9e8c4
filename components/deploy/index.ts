export { DeployScreen } from "./deploy-screen";
