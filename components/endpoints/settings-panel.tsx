"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CopyButton, ErrorNote, formatShape, modelTitle } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { deleteEndpoint } from "./api";

/** What an endpoint is made of, and the way to delete it. */
export function SettingsPanel({ endpoint }: { endpoint: Endpoint }) {
  const facts = [
    ["Service type", endpoint.serviceType],
    ["API version", endpoint.apiVersion],
    ["Model", modelTitle(endpoint.modelUrl)],
    ["Model address", endpoint.modelUrl],
    [
      "Takes",
      endpoint.inputs.map((t) => `${t.name} ${t.datatype} ${formatShape(t.shape)}`).join(", "),
    ],
    [
      "Gives",
      endpoint.outputs.map((t) => `${t.name} ${t.datatype} ${formatShape(t.shape)}`).join(", "),
    ],
    ["Artifact", endpoint.artifactDigest ?? "none yet"],
  ] as const;
  return (
    <>
      <dl className="mb-12 grid max-w-[820px] grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-2">
        {facts.map(([name, value]) => (
          <div
            key={name}
            className="col-span-2 grid grid-cols-subgrid items-baseline border-b border-line pb-2"
          >
            <dt className="text-muted">{name}</dt>
            <dd className="flex items-baseline justify-between gap-2 break-all">
              {value}
              {name === "Artifact" && endpoint.artifactDigest ? (
                <CopyButton text={endpoint.artifactDigest} label="Copy the digest" />
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
      <section>
        <h2 className="mb-2">Delete</h2>
        <p className="mb-3 max-w-[68ch] text-muted">
          Clients of {endpoint.url} get “not found” from then on. The artifact and the builds stay;
          the name becomes free.
        </p>
        <DeleteDialog name={endpoint.name} />
      </section>
    </>
  );
}

function DeleteDialog({ name }: { name: string }) {
  const [typed, setTyped] = useState("");
  const client = useQueryClient();
  const router = useRouter();
  const remove = useMutation({
    mutationFn: () => deleteEndpoint(name),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["endpoints", "list"] });
      router.push("/endpoints");
    },
  });
  return (
    <Dialog.Root>
      <Dialog.Trigger className="btn btn-danger">Delete {name}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[18vh] left-1/2 z-40 w-[min(480px,calc(100vw-24px))] -translate-x-1/2 p-6">
          <Dialog.Title>Delete {name}?</Dialog.Title>
          <Dialog.Description className="mt-2 text-muted">
            It stops answering at once and its boards are freed. This cannot be undone.
          </Dialog.Description>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (typed === name) remove.mutate();
            }}
          >
            <label htmlFor="confirm" className="mt-4 mb-1 block">
              Type <b>{name}</b> to confirm
            </label>
            <input
              id="confirm"
              className="field"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            {remove.isError ? (
              <div className="mt-3">
                <ErrorNote title="Not deleted." error={remove.error} />
              </div>
            ) : null}
            <div className="mt-5 flex justify-end gap-2">
              <Dialog.Close className="btn">Keep it</Dialog.Close>
              <button
                type="submit"
                className="btn btn-danger"
                disabled={typed !== name || remove.isPending}
              >
                Delete
              </button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
