import { readConsole, speakOnLease } from "@/domain/lease-calls";
import {
  leaseConsoleBytesSchema,
  leaseConsoleQuerySchema,
  leaseConsoleSchema,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { askerOf } from "../../asker";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "leases.console.read",
  needs: "deploy",
  summary:
    "What passed lately on the serial line of a leased board, for its holder alone: a window of 64 KiB, from after a chunk on.",
  params: idParams,
  query: leaseConsoleQuerySchema,
  response: leaseConsoleSchema,
  handle: ({ caller, params, query }) => readConsole(askerOf(caller), params.id, query.after),
});

export const POST = defineHandler({
  name: "leases.console.send",
  needs: "deploy",
  counts: "paced",
  summary:
    "Puts up to 4 KiB on the serial line of a leased board, in base64, and answers what passed there since; no bytes open the line. For its holder alone.",
  params: idParams,
  body: leaseConsoleBytesSchema,
  response: leaseConsoleSchema,
  // Nothing but what its holder loaded themselves hears it.
  audit: { changesNothing: true },
  handle: ({ caller, params, body, signal }) =>
    speakOnLease(askerOf(caller), params.id, body, signal),
});
