"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAfterLoad } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { useWatchedBuilds, watchBuild } from "./watched-builds";

const load = async () => (await import("./notice-receivers")).NoticeReceivers;

/** Has this browser tell of the end of a build, or a receiver. Whether the browser may is asked only here, by a click. */
export function NotifySwitch({ build }: { readonly build: Build }) {
  const { id } = build;
  const Receivers = useAfterLoad(load);
  const t = useTranslations("builds.notify");
  const isOn = useWatchedBuilds().includes(id);
  const [lack, setLack] = useState<"denied" | "absent" | null>(null);
  const toggle = async () => {
    if (isOn) return watchBuild(id, false);
    if (typeof Notification === "undefined") return setLack("absent");
    const permission = await Notification.requestPermission();
    setLack(permission === "granted" ? null : "denied");
    if (permission === "granted") watchBuild(id, true);
  };
  return (
    <div className="max-w-64">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        className="btn"
        onClick={() => void toggle()}
      >
        <span aria-hidden="true">{isOn ? "●" : "○"}</span> {t("switch")}
      </button>
      <p role="status" className="mt-1 text-label text-muted">
        {isOn ? t("on") : lack ? t(lack) : ""}{" "}
        {isOn || lack ? <Link href="/settings/notifications">{t("settings")}</Link> : null}
      </p>
      {Receivers ? <Receivers build={build} /> : null}
    </div>
  );
}
