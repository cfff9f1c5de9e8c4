"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { CopyButton, ErrorNote, Section, useNow, useOrigin } from "@/components/ui";
import { makeEnrolment } from "./api";

/** How a further host brings its boards: one line with a code that is good once, and until when. */
export function EnrolHost() {
  const t = useTranslations("boards.enrol");
  const make = useMutation({ mutationFn: makeEnrolment });
  const now = useNow();
  const origin = useOrigin();
  const code = make.data;
  const isOver = code !== undefined && now > 0 && Date.parse(code.expiresAt) < now;
  return (
    <Section id="enrol" title={t("title")}>
      <p className="max-w-[68ch] text-muted">
        {t.rich("text", { code: (chunks) => <code>{chunks}</code> })}
      </p>
      <p className="mt-1 max-w-[68ch] text-muted">
        {t.rich("link", { code: (chunks) => <code>{chunks}</code> })}
      </p>
      {isLocal(origin) ? <p className="mt-1 max-w-[68ch] text-muted">{t("local")}</p> : null}
      {code && !isOver ? (
        <Line command={commandOf(origin, code.code)} until={code.expiresAt} />
      ) : null}
      {isOver ? <p className="mt-3 text-warn">{t("expired")}</p> : null}
      <button
        type="button"
        className="btn mt-3"
        disabled={make.isPending}
        onClick={() => make.mutate()}
      >
        {code ? t("again") : t("make")}
      </button>
      {make.isError ? (
        <div className="mt-3">
          <ErrorNote title={t("failed")} error={make.error} />
        </div>
      ) : null}
    </Section>
  );
}

/**
 * Bundles the sources and starts a board server of the host's own name: one of a name that is taken would replace the other. It
 * listens on the host's first address, where the gateway finds it under TLS.
 */
const commandOf = (origin: string, code: string): string =>
  [
    `B=$(node -e "import('./scripts/bundle.mjs').then(({ bundle }) => bundle()).then(console.log)" | tail -1);`,
    `BOARDWALK_BUNDLES=$B BOARD_SERVER_NAME=$(hostname -s) BOARD_SERVER_HOST=$(hostname -I | cut -d' ' -f1)`,
    `PORTAL_URL=${origin}`,
    `BOARD_SERVER_ENROL_CODE=${code} node $B/board-server-main.mjs`,
  ].join(" ");

const isLocal = (origin: string) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(origin);

function Line({ command, until }: { command: string; until: string }) {
  const t = useTranslations("boards.enrol");
  const time = new Date(until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return (
    <>
      <div className="well mt-3 flex items-start gap-2 py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1.5 break-all whitespace-pre-wrap">{command}</code>
        <CopyButton text={command} label={t("copy")} />
      </div>
      <p className="mt-1 text-dense text-muted" role="status">
        {t("once", { time })}
      </p>
    </>
  );
}
