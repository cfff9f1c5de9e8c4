import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReceiverKind, removeReceiver, sendTest } from "./api";

/** What can be done to a receiver: told as a trial, or told no more. */
export function useReceivers(kind: ReceiverKind) {
  const client = useQueryClient();
  const again = () => client.invalidateQueries({ queryKey: ["notifications"] });
  const test = useMutation({ mutationFn: (id: string) => sendTest(kind, id), onSettled: again });
  const remove = useMutation({
    mutationFn: (id: string) => removeReceiver(kind, id),
    onSettled: again,
  });
  return { test, remove, again, error: test.error ?? remove.error };
}
