import { queryOptions } from "@tanstack/react-query";
import { getJson, postJson } from "@/lib/common/api-client";
import { doctorSchema, machineChecksSchema } from "@/lib/common/contract";

const lookAgainMs = 30_000;

/** What the portal can see of the installation. */
export const doctorQuery = () =>
  queryOptions({
    queryKey: ["doctor"],
    queryFn: ({ signal }) => getJson("/api/v1/doctor", doctorSchema, { signal }),
    refetchInterval: lookAgainMs,
  });

/** Looks at the machine anew, as `npm run doctor` does. */
export const runMachineChecks = () => postJson("/api/v1/doctor/checks", {}, machineChecksSchema);
