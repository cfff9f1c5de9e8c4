import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { getJson, postJson } from "@/lib/common/api-client";
import { pageOf, projectQuotasSchema, type QuotaLimits } from "@/lib/common/contract";

/** Projects that a page tells of. */
const projectsPerPage = 20;

/** All pages of limits. */
export const quotasKey = ["quotas"];

/** Limits and what is taken of them: of the project, or a page of every one. */
export const quotasQuery = ({ search, cursor }: Readonly<Record<"search" | "cursor", string>>) =>
  queryOptions({
    queryKey: [...quotasKey, search, cursor],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ limit: String(projectsPerPage) });
      if (search !== "") query.set("search", search);
      if (cursor !== "") query.set("cursor", cursor);
      return getJson(`/api/v1/quotas?${query}`, pageOf(projectQuotasSchema), { signal });
    },
  });

/** Sets how much a project may take. */
export const setQuotas = (project: string, limits: QuotaLimits) =>
  postJson(`/api/v1/projects/${project}/quotas`, limits, z.unknown());
