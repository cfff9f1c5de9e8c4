import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { deploy } from "@/components/endpoints";
import { toAppError } from "@/lib/common/errors";
import { type Draft, toNewEndpoint } from "./draft";
import type { Complaining } from "./use-complaints";

interface SendingRequest {
  readonly draft: Draft;
  readonly complaints: Complaining;
  /** Brings what is wrong into view. */
  readonly showProblems: () => void;
  readonly onSent: () => void;
}

/** Sends the draft and goes to its build; or shows why not. The same answers sent twice are one request. */
export function useSending({ draft, complaints, showProblems, onSent }: SendingRequest) {
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
      const { buildId } = await deploy(body, key.current.key);
      onSent();
      router.push(`/builds/${buildId}`);
    } catch (error) {
      complaints.refuse(toAppError(error));
      setSending(false);
      showProblems();
    }
  };
  return { sending, send };
}
