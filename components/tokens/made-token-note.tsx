import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { CopyButton, useOrigin } from "@/components/ui";
import type { MadeToken } from "@/lib/common/contract";

interface MadeTokenNoteProps {
  readonly made: MadeToken;
  /** Where the gateway is; null: there is no endpoint that could be asked. */
  readonly gateway: string | null;
  readonly onStored: () => void;
}

/** A token that was just made, with a command that shows that it is good. It stays until somebody says that they have it. */
export function MadeTokenNote({ made, gateway, onStored }: MadeTokenNoteProps) {
  const t = useTranslations("tokens");
  const origin = useOrigin();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const command = tryCommand(made, { gateway, origin });
  return (
    <div role="status" className="max-w-[840px] border-l-2 border-ok py-1 pl-4">
      <h3 ref={heading} tabIndex={-1}>
        {made.name}
      </h3>
      <p className="mt-1">{t("once")}</p>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <code className="break-all">{made.token}</code>
        <CopyButton text={made.token} label={t("copy")} />
      </p>
      {command === null ? null : (
        <>
          <h4 className="mt-4 mb-1">{t("try")}</h4>
          <div className="well relative p-3 pr-16">
            <pre className="text-label break-all whitespace-pre-wrap">{command}</pre>
            <div className="absolute top-1 right-1">
              <CopyButton text={command} label={t("copyTry")} />
            </div>
          </div>
        </>
      )}
      <button type="button" className="btn mt-4" onClick={onStored}>
        {t("stored")}
      </button>
    </div>
  );
}

/** A call that the token is good for; null: there is none to make yet. */
function tryCommand(
  { token, scopes, endpoints }: MadeToken,
  { gateway, origin }: { readonly gateway: string | null; readonly origin: string },
): string | null {
  const header = `-H 'Authorization: Bearer ${token}'`;
  if (scopes.includes("infer") && gateway !== null) {
    const [only] = endpoints ?? [];
    return `curl -sS ${gateway}/v2/models${only === undefined ? "" : `/${only}`} ${header}`;
  }
  return scopes.includes("read") ? `curl -sS '${origin}/api/v1/builds?limit=1' ${header}` : null;
}
