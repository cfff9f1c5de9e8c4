"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useQueries } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { boardsQuery } from "@/components/boards";
import { buildsQuery } from "@/components/builds";
import { endpointsQuery } from "@/components/endpoints";
import { modelTitle, shortId } from "@/components/ui";
import { matchTargets, type Target } from "./match-targets";

const pages: readonly Target[] = [
  { label: "Home", kind: "Page", href: "/" },
  { label: "Deploy a model", kind: "Page", href: "/deploy" },
  { label: "Builds", kind: "Page", href: "/builds" },
  { label: "Boards", kind: "Page", href: "/boards" },
  { label: "Toolchains", kind: "Page", href: "/toolchains" },
  { label: "Endpoints", kind: "Page", href: "/endpoints" },
];

/** Jumps to any page, endpoint, build or board by a few letters of its name. */
export function Palette({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[12vh] left-1/2 z-40 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-hidden">
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <PaletteBody onDone={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const listId = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const [endpoints, builds, boards] = useQueries({
    queries: [endpointsQuery(), buildsQuery(), boardsQuery()],
  });
  const targets: readonly Target[] = [
    ...pages,
    ...(endpoints.data?.items ?? []).map(({ name }) => ({
      label: name,
      kind: "Endpoint",
      href: `/endpoints/${name}`,
    })),
    ...(builds.data?.items ?? []).map(({ id, endpointName, modelUrl }) => ({
      label: `${endpointName ?? modelTitle(modelUrl)}, build ${shortId(id)}`,
      kind: "Build",
      href: `/builds/${id}`,
    })),
    ...(boards.data?.items ?? []).map(({ id, name }) => ({
      label: name,
      kind: "Board",
      href: `/boards#${id}`,
    })),
  ];
  const found = matchTargets(targets, text).slice(0, 12);
  const at = Math.min(active, Math.max(0, found.length - 1));

  const go = (target: Target | undefined) => {
    if (!target) return;
    onDone();
    router.push(target.href);
  };

  return (
    <>
      <input
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${at}` : undefined}
        placeholder="A page, an endpoint, a build, a board"
        className="h-12 w-full border-b border-line bg-transparent px-4 focus-visible:outline-none"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            const step = event.key === "ArrowDown" ? 1 : -1;
            setActive((at + step + found.length) % Math.max(1, found.length));
          }
          if (event.key === "Enter") go(found[at]);
        }}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Results"
        className="max-h-[52vh] overflow-y-auto p-2"
      >
        {found.map((target, index) => (
          <div
            key={target.href + target.label}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerMove={() => setActive(index)}
            onClick={() => go(target)}
            onKeyDown={() => undefined}
            className={`flex cursor-pointer justify-between gap-4 rounded-control px-3 py-2 ${index === at ? "bg-wash" : ""}`}
          >
            <span className="truncate">{target.label}</span>
            <span className="label self-center">{target.kind}</span>
          </div>
        ))}
        {found.length === 0 ? (
          <p className="px-3 py-4 text-muted">Nothing is called “{text}” here.</p>
        ) : null}
      </div>
    </>
  );
}
