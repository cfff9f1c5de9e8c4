import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { findSourceMap, type SourceMapping } from "node:module";
import { join, relative } from "node:path";
import { commonEnv } from "@/lib/server/env";
import { killAt } from "./fault";

/** Where a call stands in the sources: first line, last line, and its name. */
export type StoreCallPlace = readonly [from: number, to: number, name: string];

/** Which calls of a store have kill points. */
export interface StoreCallOptions {
  /** Of a method, whether it asks the store for something. */
  readonly isCall: (method: string) => boolean;
  /** Whether the objects in it are parts of the store, as the models of Prisma's client are. */
  readonly hasParts?: boolean;
  /** Of a method, whether it runs its first argument as a transaction: its first point is then before the COMMIT. */
  readonly isTransaction?: (method: string) => boolean;
}

type Method = (...args: readonly unknown[]) => unknown;

/**
 * Gives every call of a store two points at which a test can let this process die: `<name>.before`, and `<name>.after`, when
 * the store has done it and nobody has heard of it. The name is that of the file and the function which make the call;
 * `calls.json` in the folder `BOARDWALK_FAULTS` says where each stands, and a call that it does not know is noted beside it.
 *
 * @returns The store itself, unless a test made such a folder.
 */
export function killableCalls<T extends object>(store: T, options: StoreCallOptions): T {
  const { BOARDWALK_FAULTS: folder } = commonEnv();
  if (folder === undefined || !existsSync(join(folder, "calls.json"))) return store;
  Error.stackTraceLimit = 50;
  const places = JSON.parse(readFileSync(join(folder, "calls.json"), "utf8"));
  return new Killable({ ...options, folder, places: new Map(Object.entries(places)) }).wrap(store);
}

class Killable {
  private readonly options: StoreCallOptions & {
    readonly folder: string;
    readonly places: ReadonlyMap<string, readonly StoreCallPlace[]>;
  };

  constructor(options: Killable["options"]) {
    this.options = options;
  }

  wrap<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof key === "symbol" || key.startsWith("_")) return value;
        if (this.options.hasParts && typeof value === "object" && value !== null)
          return this.wrap(value);
        if (typeof value !== "function") return value;
        const method: Method = value.bind(target);
        return this.options.isCall(key) ? this.killable(key, method) : method;
      },
    });
  }

  private killable(key: string, method: Method): Method {
    return (...args) => {
      const name = this.nameOfCaller();
      if (name === undefined) return method(...args);
      const kill = (when: "before" | "after") => killAt(this.options.folder, `${name}.${when}`);
      const after = (answer: unknown) => {
        kill("after");
        return answer;
      };
      if (this.options.isTransaction?.(key)) {
        const [run, ...rest] = args as [Method, ...unknown[]];
        const untilCommit: Method = async (...of) => {
          const made = await run(...of);
          kill("before");
          return made;
        };
        return (method(untilCommit, ...rest) as Promise<unknown>).then(after);
      }
      kill("before");
      const answer = method(...args);
      return isThenable(answer) ? answer.then(after) : answer;
    };
  }

  /** The innermost frame of the stack that is a known call. */
  private nameOfCaller(): string | undefined {
    const { folder, places } = this.options;
    const frames = framesOfOurs();
    for (const frame of frames) {
      const found = places
        .get(frame.file)
        ?.find(([from, to]) => from <= frame.line && frame.line <= to);
      if (found) return found[2];
    }
    // What runs without source maps tells nothing of itself, such as the program that prepares an installation.
    if (frames.length === 0) return undefined;
    const known = frames.map(({ file, line }) => `${file}:${line}`);
    appendFileSync(join(folder, "unknown"), `${known.join(" ")}\n`);
    return undefined;
  }
}

/** Files and lines of our sources on the stack, innermost first. The portal's server leaves source maps out of its stacks. */
function framesOfOurs(): { file: string; line: number }[] {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error().stack as unknown as NodeJS.CallSite[];
  Error.prepareStackTrace = prepareStackTrace;
  return sites.flatMap((site) => {
    const file = site.getFileName();
    const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1];
    const entry = file && findSourceMap(file)?.findEntry(line - 1, column - 1);
    const { originalSource, originalLine = 0 } = (entry || {}) as Partial<SourceMapping>;
    if (originalSource === undefined) return [];
    const source = decodeURIComponent(originalSource.replace("file://", ""));
    const path = relative(process.cwd(), source);
    return path.includes("node_modules/") ? [] : [{ file: path, line: originalLine + 1 }];
  });
}

const isThenable = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && "then" in value;
