import { z } from "zod";
import { listBoards } from "@/domain/boards";
import type { Endpoint, NewEndpoint, Scope } from "@/lib/common/contract";
import { fail, httpStatusOf, isAppError, toErrorData } from "@/lib/common/errors";
import { Reply } from "@/lib/server/handler";

/** Kinds of services as the original's form has them. */
const typeSchema = z.enum(["sklearn", "xgboost", "tensorflow", "onnx", "fpga-model"]);

/** What the original's form posts. */
export const newServiceSchema = z.looseObject({
  isvcname: z.string(),
  isvctype: typeSchema,
  url: z.string(),
});
/** A service as the original asks for one. */
type NewService = z.infer<typeof newServiceSchema>;

/** Where a model for an FPGA runs when nobody says more: the smallest board whose tools come with Boardwalk, simulated. */
const usualBoard = { model: "icebreaker", kind: "simulated" } as const;

/**
 * The deploy that a service of the original is.
 *
 * @throws {AppError} `NO_BOARD_FREE` for firmware where there is no real board.
 */
export async function toDeploy(
  scope: Scope,
  { isvcname: name, isvctype: engine, url }: NewService,
): Promise<NewEndpoint> {
  const model = { url };
  if (engine !== "fpga-model") {
    return { name, engine, model, board: { model: "cpu", kind: "cpu" } };
  }
  if (!/[.]bit([?#]|$)/i.test(url)) return { name, engine, model, board: usualBoard };
  const boards = await listBoards(scope, { kind: ["physical"], state: ["free"], limit: 200 });
  const real = boards.items.find(({ drain }) => drain === undefined);
  if (real) return { name, engine: "prebuilt", model, board: { id: real.id } };
  throw fail("NO_BOARD_FREE", "There is no real board that is free for this firmware.", {
    hint: "Attach one on the page of boards.",
  });
}

/** An endpoint as the original lists its services. */
export function toItem({ name, engine, boardKind, modelUrl, url }: Endpoint) {
  return {
    name,
    modelName: boardKind === "cpu" ? engine : "fpga-model",
    protocolVersion: "v2",
    storageUri: modelUrl,
    url,
  };
}

/** The original's one word for a failure, and beside it what really went wrong. */
export async function sayAsOriginal(
  words: { readonly done: string; readonly failed: string },
  action: () => Promise<unknown>,
): Promise<Reply> {
  try {
    await action();
    return new Reply(200, { message: words.done });
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown;
    return new Reply(httpStatusOf(thrown), { message: words.failed, error: toErrorData(thrown) });
  }
}
