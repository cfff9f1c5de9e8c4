import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { meSchema } from "@/lib/common/contract";

/** Who is signed in, and whether people sign in at all. */
export const meQuery = () =>
  queryOptions({
    queryKey: ["me"],
    queryFn: ({ signal }) => getJson("/api/v1/me", meSchema, { signal }),
  });
