"use client";

import { Menu } from "@base-ui/react/menu";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { ErrorNote, modelTitle, shortId } from "@/components/ui";
import { type Build, buildPriorities, finalBuildStates } from "@/lib/common/contract";
import { cancelBuild, retryBuild, setPriority } from "./api";
import { again } from "./build-buttons";

/** The menu of a build in a list: what its state allows. */
export function RowMenu({ build }: { readonly build: Build }) {
  const t = useTranslations("builds");
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (how: () => Promise<unknown>) => how(),
    onSettled: () => client.invalidateQueries({ queryKey: ["builds"] }),
  });
  const { id, state, cancelling, endpointName, modelUrl, modelName } = build;
  const title = endpointName ?? modelTitle(modelUrl, modelName);
  const isFinal = finalBuildStates.has(state);
  return (
    <div>
      <Menu.Root>
        <Menu.Trigger
          className="btn btn-quiet btn-dense"
          disabled={cancelling || act.isPending}
          aria-label={t("menu.label", { name: t("list.rowName", { title, id: shortId(id) }) })}
        >
          <span aria-hidden="true">⋯</span>
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" className="z-40">
            <Menu.Popup className="float min-w-52 p-1.5 text-dense">
              {state === "queued" ? <Priorities build={build} onAct={act.mutate} /> : null}
              {isFinal ? null : (
                <Menu.Item className="menu-item" onClick={() => act.mutate(() => cancelBuild(id))}>
                  {t("menu.cancel")}
                </Menu.Item>
              )}
              {isFinal && state !== "succeeded" ? (
                <Menu.Item className="menu-item" onClick={() => act.mutate(() => retryBuild(id))}>
                  {t("menu.retry")}
                </Menu.Item>
              ) : null}
              {isFinal ? (
                <Menu.LinkItem
                  className="menu-item"
                  render={<Link href={`/deploy?${again(build)}`} />}
                >
                  {t("menu.deployAgain")}
                </Menu.LinkItem>
              ) : null}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {act.isError ? <ErrorNote title={t("menu.failed")} error={act.error} /> : null}
    </div>
  );
}

interface PrioritiesProps {
  readonly build: Build;
  readonly onAct: (how: () => Promise<unknown>) => void;
}

function Priorities({ build: { id, priority }, onAct }: PrioritiesProps) {
  const t = useTranslations("builds");
  return (
    <Menu.RadioGroup
      value={priority}
      onValueChange={(value) => {
        const to = buildPriorities.find((each) => each === value);
        if (to) onAct(() => setPriority(id, to));
      }}
    >
      {buildPriorities.map((each) => (
        <Menu.RadioItem key={each} value={each} className="menu-item gap-2" closeOnClick>
          <span aria-hidden="true">{each === priority ? "●" : "○"}</span>
          {t(`queue.priorities.${each}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
