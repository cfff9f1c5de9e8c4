export { DeployForm } from "./deploy-form";
