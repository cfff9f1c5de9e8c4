import { prepareStorage } from "./storage.mjs";

/**
 * The variables that reach the stores, and those stores of them that are ours to start, in the order they start. The data
 * folder remembers how ours are reached.
 *
 * @returns {Promise<{ variables: { DATABASE_URL: string, REDIS_URL: string, S3_ENDPOINT?: string }, mine: object[] }>}
 */
export async function chooseStores(home, note) {
  const variables = {};
  const ours = {};
  const mine = [];
  for (const choose of [choosePostgres, chooseRedis, chooseStorage]) {
    const chosen = await choose(home, note);
    if (chosen.store) mine.push(chosen.store);
    Object.assign(variables, chosen.variables);
    if (!chosen.isGiven) Object.assign(ours, chosen.variables);
  }
  home.remember("stores", ours);
  return { variables, mine };
}

async function choosePostgres(home) {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return { isGiven: true, variables: { DATABASE_URL } };
  const { preparePostgres } = await import("./postgres.mjs");
  const store = await preparePostgres(home);
  return { store, variables: { DATABASE_URL: store.url } };
}

async function chooseRedis(home, note) {
  const { REDIS_URL } = process.env;
  if (REDIS_URL) return { isGiven: true, variables: { REDIS_URL } };
  const { prepareRedis } = await import("./redis.mjs");
  const store = await prepareRedis(home, note);
  return { store, variables: { REDIS_URL: store.url } };
}

async function chooseStorage(home) {
  const given = ["S3_ENDPOINT", "S3_ACCESS_KEY", "S3_SECRET_KEY", "S3_REGION", "STORAGE_DIR"];
  if (process.env.S3_ENDPOINT || process.env.STORAGE_DIR) {
    const names = given.filter((name) => process.env[name]);
    const variables = Object.fromEntries(names.map((name) => [name, process.env[name]]));
    return { isGiven: true, variables };
  }
  const storage = await prepareStorage(home);
  return { store: storage.command ? storage : null, variables: storage.variables };
}
