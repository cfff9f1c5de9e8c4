"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { doctorQuery } from "@/components/doctor";
import { ToneIcon } from "@/components/ui";
import { type SandboxNotice, sandboxNotices } from "./sandbox-notices";

/** Says on every page where tools are not wholly shut in; nothing where they are. */
export function SandboxBanner() {
  const doctor = useQuery(doctorQuery());
  return <Notices notices={sandboxNotices(doctor.data?.buildWorkers ?? [])} />;
}

/** The region stands though it is empty: what comes into it later is then read out. */
export function Notices({ notices }: { notices: readonly SandboxNotice[] }) {
  const t = useTranslations("shell.sandbox");
  return (
    <div role="status">
      {notices.map(({ key, tone, sandbox, host, mend }) => (
        <div
          key={key}
          className="flex items-baseline gap-2 border-b border-line bg-sunken px-4 py-2 text-dense tablet:px-8"
        >
          <ToneIcon tone={tone} />
          <p className="max-w-[104ch] min-w-0 break-words">
            <strong className="font-strong">{t(sandbox, { host })}</strong> {t(`${sandbox}Text`)}
            {mend === null ? null : <> {t.rich("fix", { command: () => <code>{mend}</code> })}</>}
          </p>
        </div>
      ))}
    </div>
  );
}
