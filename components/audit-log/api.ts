import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { auditEntrySchema, pageOf } from "@/lib/common/contract";

/** Where the audit log is read. */
export const auditPath = "/api/v1/audit";

/** A page of the audit log. @param query As the API takes it. */
export const auditQuery = (query: string) =>
  queryOptions({
    queryKey: ["audit", query],
    queryFn: ({ signal }) => getJson(`${auditPath}?${query}`, pageOf(auditEntrySchema), { signal }),
  });
