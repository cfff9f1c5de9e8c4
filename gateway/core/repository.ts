import { fail, isAppError } from "@/lib/common/errors";
import { unknownModel } from "./model-errors";
import { checkReachable, type IndexEntry, type RouteTable } from "./route-table";

/** Pauses and resumes endpoints where they are kept; resolves when it is written down. */
export interface RepositoryControl {
  /** False: there is no such endpoint. */
  setPaused(name: string, paused: boolean): Promise<boolean>;
}

const loadWaitMs = 30_000;
const lookEveryMs = 20;

/** Loading and unloading of models, as clients of the repository extension ask for it. */
export class Repository {
  private readonly routes: RouteTable;
  private readonly control: RepositoryControl | null;

  constructor(routes: RouteTable, control: RepositoryControl | null) {
    this.routes = routes;
    this.control = control;
  }

  /** One entry for each version that is known. */
  index(readyOnly: boolean): IndexEntry[] {
    return this.routes.index().filter(({ state }) => !readyOnly || state === "READY");
  }

  /**
   * Serves a paused model again; resolves when it is ready.
   *
   * @throws {AppError} `MODEL_NOT_FOUND`, beginning with the words that clients look for; `DEADLINE_EXCEEDED`.
   */
  async load(name: string): Promise<void> {
    const known = await this.setPaused(name, false);
    if (!known) {
      const { message } = unknownModel(name);
      throw fail("MODEL_NOT_FOUND", `failed to load '${name}': ${message}`);
    }
    this.routes.resume(name);
    const deadline = performance.now() + loadWaitMs;
    for (;;) {
      try {
        checkReachable(name, this.routes.choose(name, null));
        return;
      } catch (error) {
        if (!isAppError(error) || performance.now() > deadline) {
          throw fail("DEADLINE_EXCEEDED", `failed to load '${name}': it did not become ready`);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  /**
   * Takes no new requests of a model; running ones end.
   *
   * @throws {AppError} `MODEL_NOT_FOUND`
   */
  async unload(name: string): Promise<void> {
    if (!(await this.setPaused(name, true))) throw unknownModel(name);
    this.routes.pause(name);
  }

  private setPaused(name: string, paused: boolean): Promise<boolean> {
    if (!this.control) throw fail("FORBIDDEN", "models cannot be loaded and unloaded here");
    return this.control.setPaused(name, paused);
  }
}
