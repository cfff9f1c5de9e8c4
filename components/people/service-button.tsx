import { useMutation, useQuery } from "@tanstack/react-query";
import { ErrorNote } from "@/components/ui";
import { signInOptionsQuery, startService } from "./api";

/** The way to another service that signs people in; nothing, where there is none. */
export function ServiceButton({
  words,
  failure,
  next,
}: {
  /** On the button, for the name of the service. */
  readonly words: (name: string) => string;
  readonly failure: string;
  /** The page to come back to. */
  readonly next: string;
}) {
  const options = useQuery(signInOptionsQuery());
  const send = useMutation({
    mutationFn: () => {
      // The code of an invitation in the address goes along.
      const code = /^#(bw_invite_[0-9A-Za-z]{49})$/.exec(location.hash)?.[1];
      return startService({ next, ...(code === undefined ? {} : { invitation: code }) });
    },
    onSuccess: ({ url }) => location.assign(url),
  });
  const name = options.data?.service;
  if (!name) return null;
  return (
    <div className="mt-4 grid gap-4">
      {send.isError ? <ErrorNote title={failure} error={send.error} /> : null}
      <button
        type="button"
        className="btn justify-self-start"
        disabled={send.isPending || send.isSuccess}
        aria-busy={send.isPending}
        onClick={() => send.mutate()}
      >
        {words(name)}
      </button>
    </div>
  );
}
