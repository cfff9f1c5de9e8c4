"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useDeferredValue, useState } from "react";
import { boardsPageQuery } from "@/components/board-pages";
import { buildsQuery } from "@/components/builds";
import { endpointsPageQuery } from "@/components/endpoints";
import { artifactsQuery } from "@/components/firmware";
import { modelsQuery } from "@/components/library";
import { modelTitle, shortDigest, shortId } from "@/components/ui";
import { matchTargets, type Target } from "./match-targets";
import { places } from "./places";

/** Pages that explain, which no rail leads to. */
const explained = [
  { name: "errors", href: "/errors" },
  { name: "glossary", href: "/glossary" },
] as const;

/** Jumps to any page, endpoint, build, model, firmware or board by a few letters of its name. */
export function Palette({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations("shell");
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[12vh] left-1/2 z-40 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-hidden">
          <Dialog.Title className="sr-only">{t("searchTitle")}</Dialog.Title>
          <PaletteBody onDone={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const mostShown = 12;

function PaletteBody({ onDone }: { onDone: () => void }) {
  const t = useTranslations("shell");
  const router = useRouter();
  const [text, setText] = useState("");
  const found = matchTargets(useTargets(useDeferredValue(text)), text).slice(0, mostShown);
  const go = ({ href }: Target) => {
    onDone();
    router.push(href);
  };
  return (
    <Autocomplete.Root
      inline
      open
      items={found}
      mode="none"
      autoHighlight="always"
      keepHighlight
      value={text}
      onValueChange={setText}
      itemToStringValue={({ label }) => label}
    >
      <Autocomplete.Input
        aria-label={t("searchTitle")}
        placeholder={t("searchHint")}
        maxLength={200}
        className="h-12 w-full border-b border-line bg-transparent px-4 focus-visible:outline-none"
      />
      <Autocomplete.Empty>
        <p className="px-5 py-6 text-muted">{t("nothingFound", { text })}</p>
      </Autocomplete.Empty>
      <Autocomplete.List aria-label={t("results")} className="max-h-[52vh] overflow-y-auto p-2">
        {(target: Target) => (
          <Autocomplete.Item
            key={target.href + target.label}
            value={target}
            onClick={() => go(target)}
            className="flex cursor-pointer justify-between gap-4 rounded-control px-3 py-2 data-highlighted:bg-wash"
          >
            <span className="truncate">{target.label}</span>
            <span className="label self-center">{target.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** What lists are searched for: the first word of a text that is not about a kind, as in `build iris`. */
function queryOf(text: string, kinds: readonly string[]): string {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const search = words.find((word) => !kinds.some((kind) => kind.toLowerCase().includes(word)));
  return String(new URLSearchParams({ limit: "50", ...(search ? { search } : {}) }));
}

const kindNames = ["page", "endpoint", "build", "model", "firmware", "board"] as const;

/** All that can be jumped to by a text, as far as it is known by now. */
function useTargets(text: string): readonly Target[] {
  const t = useTranslations("shell");
  const query = queryOf(
    text,
    kindNames.map((kind) => t(`kinds.${kind}`)),
  );
  const meanwhile = { placeholderData: keepPreviousData };
  const [endpoints, builds, boards, models, firmware] = useQueries({
    queries: [
      { ...endpointsPageQuery(query), ...meanwhile },
      { ...buildsQuery(query), ...meanwhile },
      { ...boardsPageQuery(query), ...meanwhile },
      { ...modelsQuery(query), ...meanwhile },
      { ...artifactsQuery(query), ...meanwhile },
    ],
  });
  return [
    ...[...places, ...explained].map(({ name, href }) => ({
      label: t(`places.${name}`),
      kind: t("kinds.page"),
      href,
    })),
    ...(endpoints.data?.items ?? []).map(({ name }) => ({
      label: name,
      kind: t("kinds.endpoint"),
      href: `/endpoints/${name}`,
    })),
    ...(builds.data?.items ?? []).map(({ id, endpointName, modelUrl, modelName }) => ({
      label: t("buildTarget", {
        name: endpointName ?? modelTitle(modelUrl, modelName),
        id: shortId(id),
      }),
      kind: t("kinds.build"),
      href: `/builds/${id}`,
    })),
    ...(models.data?.items ?? []).map(({ id, name }) => ({
      label: name,
      kind: t("kinds.model"),
      href: `/models/${id}`,
    })),
    ...(firmware.data?.items ?? []).map(({ digest, modelUrl, modelName }) => ({
      label: `${modelTitle(modelUrl, modelName)}, ${shortDigest(digest)}`,
      kind: t("kinds.firmware"),
      href: `/firmware/${digest}`,
    })),
    ...(boards.data?.items ?? []).map(({ id, name }) => ({
      label: name,
      kind: t("kinds.board"),
      href: `/boards/${id}`,
    })),
  ];
}
