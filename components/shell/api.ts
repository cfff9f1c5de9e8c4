import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { doctorSchema } from "@/lib/common/contract";

const lookAgainMs = 30_000;

/** What the portal can see of the installation. */
export const doctorQuery = () =>
  queryOptions({
    queryKey: ["doctor"],
    queryFn: ({ signal }) => getJson("/api/v1/doctor", doctorSchema, { signal }),
    refetchInterval: lookAgainMs,
  });
