import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { cancelBuild } from "@/components/builds";
import { addRevision, deploy, rollBack } from "@/components/endpoints";
import { notify } from "@/components/ui";
import type { Deployed } from "@/lib/common/contract";
import { toAppError } from "@/lib/common/errors";
import { type Draft, toNewEndpoint, toNewRevision } from "./draft";
import type { RevisionOf } from "./form-start";
import type { Complaining } from "./use-complaints";

interface SendingRequest {
  readonly draft: Draft;
  /** Null: a new endpoint is made. */
  readonly revisionOf: RevisionOf | null;
  readonly complaints: Complaining;
  /** Brings what is wrong into view. */
  readonly showProblems: () => void;
  readonly onSent: () => void;
}

/** Sends the draft and goes to its build; or shows why not. The same answers sent twice are one request. */
export function useSending({
  draft,
  revisionOf,
  complaints,
  showProblems,
  onSent,
}: SendingRequest) {
  const t = useTranslations("deploy.revision");
  const [sending, setSending] = useState(false);
  const key = useRef({ body: "", key: "" });
  const router = useRouter();

  const send = async () => {
    complaints.touchAll();
    complaints.forgive();
    if (!complaints.isFree) {
      showProblems();
      return;
    }
    if (sending) return;
    setSending(true);
    try {
      const body = toNewEndpoint(draft);
      const text = JSON.stringify(body);
      if (key.current.body !== text) key.current = { body: text, key: crypto.randomUUID() };
      const { buildId, ...sent } = await (revisionOf
        ? addRevision(body.name, toNewRevision(draft), key.current.key)
        : deploy(body, key.current.key));
      onSent();
      if (revisionOf) notify(noticeOf({ buildId, ...sent }, revisionOf, t));
      router.push(`/builds/${buildId}`);
    } catch (error) {
      complaints.refuse(toAppError(error));
      setSending(false);
      showProblems();
    }
  };
  return { sending, send };
}

/** What was asked for, and the way to call it off: what serves stays, and the build ends. */
function noticeOf(
  { name, revision, buildId }: Deployed,
  { serving }: RevisionOf,
  t: ReturnType<typeof useTranslations<"deploy.revision">>,
) {
  return {
    title: t("sent", { revision, name }),
    text: serving ? t("until", { ordinal: serving.ordinal }) : undefined,
    link: { href: `/endpoints/${name}?tab=revisions`, label: t("show") },
    undo: async () => {
      if (serving) await rollBack(name, { revision: serving.ordinal });
      // One that has ended by now, as a reused one has, needs no end.
      await cancelBuild(buildId).catch(() => null);
    },
  };
}
