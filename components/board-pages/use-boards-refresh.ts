import { type QueryKey, useQueryClient } from "@tanstack/react-query";

/** Asks again for a list that makes boards, and for the boards. */
export function useBoardsRefresh(list: QueryKey): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: list });
    await client.invalidateQueries({ queryKey: ["boards"] });
  };
}
