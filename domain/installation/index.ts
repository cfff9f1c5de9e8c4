export { type InstallationCounts, readInstallation } from "./queries";
