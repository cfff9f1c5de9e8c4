import type { FormEvent } from "react";

/** What a form does when it is sent: starts what sends it, unless that is under way. */
export const submitOnce =
  (send: { readonly isPending: boolean; readonly mutate: () => void }) =>
  (event: FormEvent): void => {
    event.preventDefault();
    if (!send.isPending) send.mutate();
  };
