import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeAllPrivate, makePrivate } from "./private.mjs";
import { Fixable } from "./say.mjs";
import "./umask.mjs";

/** The checkout that these scripts lie in. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Opens the data folder, making it where it is missing: everything of Boardwalk lies in it, besides
 * `node_modules/` and `.next/`. Remembered ports and secrets are in `run/settings.json`. No other user can look into it.
 */
export function openHome(folder = process.env.BOARDWALK_HOME ?? join(root, ".boardwalk")) {
  const path = resolve(folder);
  const at = (...parts) => join(path, ...parts);
  const settingsFile = at("run", "settings.json");
  // In containers that share a folder, processes have the same numbers.
  const mark = randomBytes(6).toString("hex");
  let wasEmpty = false;
  try {
    mkdirSync(path, { recursive: true });
    wasEmpty = readdirSync(path).length === 0;
    for (const name of folders) {
      mkdirSync(at(name), { recursive: true });
      makePrivate(at(name));
    }
    const probe = at("run", `.probe-${mark}`);
    writeFileSync(probe, "x".repeat(4096));
    rmSync(probe);
  } catch (error) {
    if (error.code === "ENOSPC") {
      throw new Fixable(
        `The disk under ${path} is full. Free about 3 GB, or set BOARDWALK_HOME to a folder on another disk.`,
      );
    }
    throw new Fixable(
      `Boardwalk cannot write to ${path} (${error.code}). Set BOARDWALK_HOME to a folder you may write to.`,
    );
  }

  const settings = existsSync(settingsFile) ? JSON.parse(readFileSync(settingsFile, "utf8")) : {};
  const save = () => {
    const draft = `${settingsFile}.${mark}`;
    writeFileSync(draft, JSON.stringify(settings, null, 2), { mode: 0o600 });
    renameSync(draft, settingsFile);
  };
  const ours = isOurs(path, settings, wasEmpty);
  if (ours) closeToOthers(path);
  if (settings.private !== true) {
    // Perhaps made by a version that let others look.
    for (const name of readdirSync(path))
      if (ours || folders.includes(name)) makeAllPrivate(at(name));
    settings.private = true;
    settings.shared = !ours;
    save();
  }
  return {
    path,
    at,
    /** Whether the folder itself is Boardwalk's, and not one such as /tmp where Boardwalk has folders of its own. */
    ours,
    logFile: (name) => at("logs", `${name}.log`),
    /** A secret of this installation, made on first use. */
    secret(name) {
      settings.secrets ??= {};
      if (!settings.secrets[name]) {
        settings.secrets[name] = randomBytes(18).toString("base64url");
        save();
      }
      return settings.secrets[name];
    },
    remembered: (name) => settings[name],
    remember(name, value) {
      if (settings[name] === value) return;
      settings[name] = value;
      save();
    },
    /** Settings that move with the installation to another machine: not its ports, nor the passwords of its stores. */
    movingSettings() {
      const { private: _private, shared: _shared, secrets = {}, ...others } = settings;
      const without = (values, stays) =>
        Object.fromEntries(Object.entries(values).filter(([name]) => !stays(name)));
      return {
        ...without(others, (name) => name.startsWith("port.")),
        secrets: without(secrets, (name) => storeSecrets.includes(name)),
      };
    },
    /** Takes over what another home's `movingSettings` gave. */
    adoptSettings({ secrets, ...others }) {
      Object.assign(settings, others, { secrets: { ...settings.secrets, ...secrets } });
      save();
    },
    /** Environment of every child: its home, caches and temporary files lie in the data folder. */
    env: childEnv(at),
  };
}

/** Made anew for stores that are made anew. */
const storeSecrets = ["postgres", "redis", "s3"];

const folders = ["home", "tmp", "cache", "run", "logs", "tools", "keys"];

/** As root the group of the user that Postgres runs as may pass, and only that: `preparePostgres`. */
const passable = 0o710;

function isOurs(path, settings, wasEmpty) {
  const isSticky = (statSync(path).mode & 0o1000) !== 0;
  if (settings.shared || isSticky || path === homedir()) return false;
  return wasEmpty || Object.keys(settings).length > 0;
}

function closeToOthers(path) {
  const mode = statSync(path).mode & 0o777;
  if (process.getuid?.() === 0 && mode === passable) return;
  makePrivate(path);
}

/** Lets a group pass through the data folder to what belongs to it, without seeing what else there is. */
export function letPass(path, gid) {
  chownSync(path, 0, gid);
  chmodSync(path, passable);
}

function childEnv(at) {
  const user = homedir();
  const keep = (variable, file) =>
    process.env[variable] === undefined && existsSync(file) ? { [variable]: file } : {};
  return {
    ...process.env,
    // Settings of the person's package clients stay in force, though HOME moves.
    ...keep("npm_config_userconfig", join(user, ".npmrc")),
    ...keep("PIP_CONFIG_FILE", join(user, ".config/pip/pip.conf")),
    ...keep("GOENV", join(user, ".config/go/env")),
    HOME: at("home"),
    XDG_CACHE_HOME: at("cache"),
    XDG_CONFIG_HOME: at("home", "config"),
    XDG_DATA_HOME: at("home", "data"),
    XDG_STATE_HOME: at("home", "state"),
    npm_config_cache: at("cache", "npm"),
    PIP_CACHE_DIR: at("cache", "pip"),
    YOWASP_CACHE_DIR: at("cache", "yowasp"),
    GOCACHE: at("cache", "go-build"),
    GOPATH: at("cache", "go"),
    TMPDIR: at("tmp"),
    ONNXRUNTIME_NODE_INSTALL: "skip",
    NEXT_TELEMETRY_DISABLED: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  };
}
