import type { ServerResponse } from "node:http";
import { fail } from "@/lib/common/errors";
import { clientOf } from "@/lib/server/http";
import { longestMs } from "../core";
import { Life } from "../intake";
import type { InferCall } from "./infer-call";

/** One inference that is under way for a caller. */
export interface UnderWay {
  /** Ends when the caller is gone or the longest time a request may take is over. */
  readonly life: Life;
  readonly leave: () => void;
}

/** @throws {AppError} `RATE_LIMITED` when the caller has too many already. */
export function underWay({ request, response, service, caller }: InferCall): UnderWay {
  const who = `${caller.id} ${clientOf(request.socket.remoteAddress)}`;
  const leave = service.inFlight.enter(who);
  return { life: lifeOf(response), leave };
}

function lifeOf(response: ServerResponse): Life {
  const life = new Life();
  const timer = setTimeout(
    () => life.end(fail("DEADLINE_EXCEEDED", `no answer within ${longestMs / 1000} s`)),
    longestMs,
  );
  response.once("close", () => {
    clearTimeout(timer);
    if (!response.writableFinished) life.end(fail("CANCELLED", "the caller is gone"));
  });
  return life;
}
