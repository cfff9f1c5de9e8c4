import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { enrol } from "@/domain/board-servers";
import { fail, httpStatusOf, toAppError } from "@/lib/common/errors";
import {
  type AuditDeed,
  dropIntent,
  endIntent,
  Refusals,
  writeEntry,
  writeIntent,
} from "@/lib/server/audit-log";
import { enrolRequestSchema } from "@/lib/server/board-protocol";
import { clientHeader, readBody } from "@/lib/server/http";
import { answer, limitBytes, parseJson } from "../answer";
import { listControlKeys } from "../control-key";

/** Codes that are guessed are told of together. */
const refusals = new Refusals({ mostKinds: 50 });

/** Makes a board server known, by a single-use code. It may carry out commands from then on, so that the audit log tells of it. */
export function POST(request: Request): Promise<Response> {
  return answer("board-server.enrol", request, async () => {
    const parsed = enrolRequestSchema.safeParse(
      parseJson(await readBody(request.body, { limitBytes })),
    );
    if (!parsed.success) throw fail("VALIDATION", "This is no enrolment of a board server.");
    const controlKeys = await listControlKeys();
    const deed = deedOf(request, parsed.data.name);
    const intent = await writeIntent(deed);
    try {
      const { answer: enrolled, isOtherKey } = await enrol(parsed.data);
      const target = { ...deed.target, id: enrolled.serverId };
      await endIntent(intent, { result: "done", reason: null }, { target, claim: null });
      if (isOtherKey)
        await writeEntry(
          { ...deed, action: "board_servers.key.replace", target },
          { result: "done", reason: null, times: 1 },
        );
      return Response.json({ ...enrolled, controlKeys });
    } catch (thrown) {
      const error = toAppError(thrown);
      if (httpStatusOf(error) < 500) {
        await dropIntent(intent);
        await refusals.note(deed, error.reason);
      }
      throw thrown;
    }
  });
}

function deedOf({ headers }: Request, name: string): AuditDeed {
  const address = headers.get(clientHeader) ?? "";
  return {
    actor: { kind: "board_server", id: null },
    projectId: null,
    action: "board_servers.enrol",
    target: { noun: "board_server", id: null, name: name.slice(0, 63) },
    claim: null,
    requestId: randomUUID(),
    address: isIP(address) === 0 ? null : address,
  };
}
