"use client";

import { Dialog } from "@base-ui/react/dialog";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { navIcons } from "./icons";
import { isHere, places } from "./places";

/** The places that a phone's bar has no room for. */
export function MoreSheet({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations("shell");
  const pathname = usePathname();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed inset-x-3 bottom-16 z-40 p-3">
          <Dialog.Title className="label px-3 pb-1">{t("moreTitle")}</Dialog.Title>
          <ul>
            {places
              .filter(({ isFirst }) => !isFirst)
              .map(({ href, name }) => (
                <li key={href}>
                  <Link
                    href={href}
                    onClick={() => onOpenChange(false)}
                    aria-current={isHere(pathname, href) ? "page" : undefined}
                    className="flex min-h-11 items-center gap-3 rounded-control px-3 text-text hover:bg-sunken hover:no-underline aria-[current]:font-strong"
                  >
                    {navIcons[name]}
                    {t(`places.${name}`)}
                  </Link>
                </li>
              ))}
          </ul>
          <Dialog.Close className="btn mt-2 w-full">{t("close")}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
