import { Menu } from "@base-ui/react/menu";
import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { keysOf } from "@/lib/common/records";
import { logFiles } from "../api";

interface LogDownloadProps {
  readonly fileUrl: (file: keyof typeof logFiles) => string;
  /** Holds the menu: of a page in full screen, only what is inside is seen. */
  readonly container: RefObject<HTMLElement | null>;
}

/** Saves the log of an attempt, in one of its forms. */
export function LogDownload({ fileUrl, container }: LogDownloadProps) {
  const t = useTranslations("builds.log");
  return (
    <Menu.Root>
      <Menu.Trigger className="btn btn-quiet btn-dense">{t("download")}</Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner sideOffset={4} align="end" positionMethod="fixed" className="z-40">
          <Menu.Popup className="float min-w-52 p-1.5 text-dense">
            {keysOf(logFiles).map((file) => (
              <Menu.LinkItem
                key={file}
                closeOnClick
                className="menu-item"
                render={<a href={fileUrl(file)} download />}
              >
                {t(`files.${file}`)}
              </Menu.LinkItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
