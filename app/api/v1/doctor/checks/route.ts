import { machineChecksSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { checkMachine } from "../../_shared/machine-checks";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "doctor.run",
  needs: "admin",
  summary:
    "Looks at the machine that the portal runs on: tools and services, found and wanted, and what mends them.",
  response: machineChecksSchema,
  audit: { changesNothing: true },
  handle: () => checkMachine(),
});
