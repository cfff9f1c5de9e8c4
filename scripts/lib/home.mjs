import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Fixable } from "./say.mjs";

/** The checkout that these scripts lie in. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Opens the data folder, making it where it is missing: everything of Boardwalk lies in it, besides
 * `node_modules/` and `.next/`. Remembered ports and secrets are in `run/settings.json`.
 */
export function openHome(folder = process.env.BOARDWALK_HOME ?? join(root, ".boardwalk")) {
  const path = resolve(folder);
  const at = (...parts) => join(path, ...parts);
  try {
    mkdirSync(path, { recursive: true });
    for (const name of ["home", "tmp", "cache", "run", "logs", "tools", "keys"]) {
      mkdirSync(at(name), { recursive: true });
    }
    const probe = at("run", `.probe-${process.pid}`);
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

  const settingsFile = at("run", "settings.json");
  const settings = existsSync(settingsFile) ? JSON.parse(readFileSync(settingsFile, "utf8")) : {};
  const save = () => {
    const draft = `${settingsFile}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(settings, null, 2), { mode: 0o600 });
    renameSync(draft, settingsFile);
  };
  return {
    path,
    at,
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
    /** Environment of every child: its home, caches and temporary files lie in the data folder. */
    env: childEnv(at),
  };
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
