import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { getJson, postJson } from "@/lib/common/api-client";
import { pageOf, projectQuotasSchema, type QuotaLimits } from "@/lib/common/contract";

/** Limits and what is taken of them: of the project, or of every one. */
export const quotasQuery = () =>
  queryOptions({
    queryKey: ["quotas"],
    queryFn: ({ signal }) => getJson("/api/v1/quotas", pageOf(projectQuotasSchema), { signal }),
  });

/** Sets how much a project may take. */
export const setQuotas = (project: string, limits: QuotaLimits) =>
  postJson(`/api/v1/projects/${project}/quotas`, limits, z.unknown());
