export { doctorQuery, runMachineChecks } from "./api";
