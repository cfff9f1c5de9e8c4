import type { messages as english } from "../en";
import accuracy from "./accuracy.json";
import activity from "./activity.json";
import auditLog from "./audit-log.json";
import boards from "./boards.json";
import builds from "./builds.json";
import connections from "./connections.json";
import deploy from "./deploy.json";
import endpoints from "./endpoints.json";
import errors from "./errors.json";
import firmware from "./firmware.json";
import forecasts from "./forecasts.json";
import glossary from "./glossary.json";
import home from "./home.json";
import leases from "./leases.json";
import library from "./library.json";
import links from "./links.json";
import lists from "./lists.json";
import notifications from "./notifications.json";
import people from "./people.json";
import predictions from "./predictions.json";
import preferences from "./preferences.json";
import quotas from "./quotas.json";
import searches from "./searches.json";
import settings from "./settings.json";
import shell from "./shell.json";
import simulate from "./simulate.json";
import tokens from "./tokens.json";
import toolchains from "./toolchains.json";
import traffic from "./traffic.json";
import ui from "./ui.json";

export const messages: typeof english = {
  accuracy,
  activity,
  auditLog,
  boards,
  builds,
  connections,
  deploy,
  endpoints,
  errors,
  firmware,
  forecasts,
  glossary,
  home,
  leases,
  library,
  links,
  lists,
  notifications,
  people,
  predictions,
  preferences,
  quotas,
  searches,
  settings,
  shell,
  simulate,
  tokens,
  toolchains,
  traffic,
  ui,
};
