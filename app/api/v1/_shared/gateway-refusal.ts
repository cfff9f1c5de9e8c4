import { z } from "zod";
import { type AppError, fail, type Reason, reasons } from "@/lib/common/errors";

const errorBody = z.object({ error: z.string(), code: z.string() });

/**
 * What the gateway said of a request that it refused: its own reason in its own words.
 *
 * @returns `UPSTREAM_MISMATCH` for an answer that is not one of the gateway's errors.
 */
export function gatewayRefusal(status: number, body: Buffer): AppError {
  try {
    const { error, code } = errorBody.parse(JSON.parse(body.toString()));
    if (isReason(code)) return fail(code, error);
  } catch {
    // Told below.
  }
  return fail("UPSTREAM_MISMATCH", `The gateway answered with status ${status}.`);
}

const isReason = (code: string): code is Reason => Object.hasOwn(reasons, code);
