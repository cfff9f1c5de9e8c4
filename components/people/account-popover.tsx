import { Popover } from "@base-ui/react/popover";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ComponentProps, useState } from "react";
import { meQuery } from "@/components/me";
import { ErrorNote, Loaded, Skeleton } from "@/components/ui";
import type { Me } from "@/lib/common/contract";
import { chooseProject, signOut } from "./api";

export interface AccountPopoverProps {
  /** How the button that opens it looks. */
  readonly button: ComponentProps<typeof Popover.Trigger>;
}

/** The whole of `AccountMenu`, once it is loaded: open at first, since it is loaded by a press. */
export function AccountPopover({ button }: AccountPopoverProps) {
  const t = useTranslations("people.menu");
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger {...button} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} align="end" className="z-40">
          <Popover.Popup className="float w-[min(320px,calc(100vw-24px))] p-5">
            <Popover.Title className="sr-only">{t("title")}</Popover.Title>
            <Loaded
              query={useQuery(meQuery())}
              loading={<Skeleton lines={3} height={32} />}
              failure={t("unreadable")}
            >
              {(me) => <Person me={me} onLeave={close} />}
            </Loaded>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Person({ me, onLeave }: { readonly me: Me; readonly onLeave: () => void }) {
  const t = useTranslations("people");
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => location.assign("/sign-in"),
  });
  return (
    <>
      <p className="break-words">
        <b>{me.name}</b>
        <span className="block text-dense text-muted">{me.email}</span>
      </p>
      <Projects me={me} />
      <ul className="mt-4 border-t border-line pt-3">
        {(["account", "people"] as const).map((part) => (
          <li key={part}>
            <Link
              href={`/settings/${part}`}
              className="flex min-h-9 items-center text-text"
              onClick={onLeave}
            >
              {t(`menu.${part}`)}
            </Link>
          </li>
        ))}
      </ul>
      {leave.isError ? <ErrorNote title={t("menu.failed")} error={leave.error} /> : null}
      <button
        type="button"
        className="btn mt-3"
        disabled={leave.isPending}
        onClick={() => leave.mutate()}
      >
        {t("menu.signOut")}
      </button>
    </>
  );
}

/** The projects that somebody is in; choosing another shows its pages. */
function Projects({ me: { projects } }: { readonly me: Me }) {
  const t = useTranslations("people");
  const choose = useMutation({
    mutationFn: chooseProject,
    // Nothing that a page holds is of the other project.
    onSuccess: () => location.assign("/"),
  });
  if (projects.length === 0) return <p className="mt-3 text-dense">{t("menu.noProject")}</p>;
  return (
    <fieldset className="mt-4">
      <legend className="label mb-1">{t("menu.projects")}</legend>
      {projects.map(({ id, name, role, isCurrent }) => (
        <label key={id} className="flex min-h-9 items-center gap-3">
          <input
            type="radio"
            name="project"
            className="size-4 accent-accent"
            checked={isCurrent}
            disabled={choose.isPending}
            onChange={() => choose.mutate(id)}
          />
          <span className="min-w-0 break-words">
            {name} <span className="text-dense text-muted">{t(`roles.${role}`)}</span>
          </span>
        </label>
      ))}
      {choose.isError ? <ErrorNote title={t("menu.failed")} error={choose.error} /> : null}
    </fieldset>
  );
}
