import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ErrorNote, notify, TypedConfirmation } from "@/components/ui";

interface RevokeDialogProps {
  readonly name: string;
  /** Of the list that it stands in. */
  readonly queryKey: readonly unknown[];
  readonly texts: {
    readonly title: string;
    /** What ends with it. */
    readonly text: string;
    readonly revoke: string;
    readonly keep: string;
    readonly revoked: string;
    readonly failed: string;
  };
  readonly revoke: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Revokes a token or a link once its name was typed, since that cannot be undone. */
export function RevokeDialog({ name, queryKey, texts, revoke, onClose }: RevokeDialogProps) {
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: revoke,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey });
      notify({ title: texts.revoked });
      onClose();
    },
  });
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <TypedConfirmation
        title={texts.title}
        words={name}
        verb={texts.revoke}
        keep={texts.keep}
        problem={send.isError ? <ErrorNote title={texts.failed} error={send.error} /> : null}
        isPending={send.isPending || send.isSuccess}
        onConfirm={() => send.mutate()}
      >
        {texts.text}
      </TypedConfirmation>
    </Dialog.Root>
  );
}
