import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, FormField, notify, submitOnce, TextField } from "@/components/ui";
import {
  type ConnectionKind,
  connectionKinds,
  openKinds,
  type ProjectConnection,
} from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { addConnection, changeConnection, projectConnectionsQuery } from "./api";
import {
  type Field,
  placeFields,
  placeOfTexts,
  type SecretForm,
  secretFields,
  secretForms,
  secretOfTexts,
  type Texts,
  textsOf,
} from "./fields";

interface ConnectionFormProps {
  /** Left out: a new one. */
  readonly connection?: ProjectConnection;
  readonly onDone: () => void;
}

/** Makes a connection or changes one: where it is, and what opens it, which is typed and never shown. */
export function ConnectionForm({ connection, onDone }: ConnectionFormProps) {
  const t = useTranslations("connections");
  const id = useId();
  const client = useQueryClient();
  const [kind, setKind] = useState<ConnectionKind>(connection?.kind ?? "s3");
  const [name, setName] = useState(connection?.name ?? "");
  const [place, setPlace] = useState<Texts>(connection ? textsOf(connection) : {});
  const [secret, setSecret] = useState<Texts>({});
  const [form, setForm] = useState<SecretForm | null>(null);
  const [isReplacing, setReplacing] = useState(connection === undefined);
  const forms = secretForms[kind];
  const chosen = form !== null && forms.includes(form) ? form : (forms[0] ?? "token");
  /** Whether it may do without a secret. */
  const isOpen = openKinds.has(kind);
  const hasSecret = (connection?.secretSetAt ?? null) !== null;
  const mayRemove = isOpen && hasSecret;
  const [wantsNone, setWantsNone] = useState(false);
  const isRemoving = mayRemove && wantsNone;
  const send = useMutation({
    mutationFn: ({ untested }: { readonly untested: boolean }) => {
      const typed = isReplacing ? secretOfTexts(chosen, secret) : undefined;
      const given = isRemoving ? null : typed;
      const body = {
        name: name.trim(),
        place: placeOfTexts(kind, place),
        ...(given === undefined ? {} : { secret: given }),
        ...(untested ? { untested } : {}),
      };
      return connection === undefined
        ? addConnection({ ...body, kind })
        : changeConnection(connection.id, body);
    },
    onSuccess: async (kept) => {
      await client.invalidateQueries({ queryKey: projectConnectionsQuery().queryKey });
      notify({ title: t("saved", { name: kept.name }) });
      onDone();
    },
    onError: (error) => {
      // It was given for another host: the lines to type it into come by themselves.
      if (isAppError(error) && error.reason === "SECRET_WANTED") setReplacing(true);
    },
  });
  const isSavable = isAppError(send.error) && send.error.details?.["untested"] === true;
  const lines = (fields: readonly Field[], texts: Texts, onChange: (texts: Texts) => void) =>
    fields.map(({ name: line, example, isOptional, isSecret }) => (
      <TextField
        key={line}
        id={`${id}-${line}`}
        label={isOptional ? t("optional", { label: t(`fields.${line}`) }) : t(`fields.${line}`)}
        hint={t(`hints.${line}`)}
        width="half"
        required={isOptional !== true && !(isOpen && texts === secret)}
        type={isSecret ? "password" : "text"}
        autoComplete={isSecret ? "new-password" : "off"}
        spellCheck={false}
        {...(example === undefined ? {} : { placeholder: example })}
        value={texts[line] ?? ""}
        onChange={(text) => onChange({ ...texts, [line]: text })}
      />
    ));
  return (
    <form
      className="grid max-w-[840px] gap-5"
      aria-label={connection === undefined ? t("new") : t("changeOf", { name: connection.name })}
      onSubmit={submitOnce({ ...send, mutate: () => send.mutate({ untested: false }) })}
    >
      {connection === undefined ? (
        <FormField id={`${id}-kind`} label={t("kind")} hint={t(`kindHints.${kind}`)}>
          <select
            id={`${id}-kind`}
            className="field w-full tablet:max-w-96"
            aria-describedby={`${id}-kind-hint`}
            value={kind}
            onChange={({ target }) => {
              const to = connectionKinds.find((each) => each === target.value);
              if (to === undefined) return;
              setKind(to);
              setSecret({});
              send.reset();
            }}
          >
            {connectionKinds.map((each) => (
              <option key={each} value={each}>
                {t(`kinds.${each}`)}
              </option>
            ))}
          </select>
        </FormField>
      ) : null}
      <TextField
        id={`${id}-name`}
        label={t("name")}
        hint={t("nameHint")}
        width="half"
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={setName}
      />
      {lines(placeFields[kind], place, setPlace)}
      {isReplacing && !isRemoving ? (
        <fieldset className="grid gap-5">
          <legend className="label mb-2">{t("secret")}</legend>
          <p className="max-w-prose text-dense text-muted">
            {t("writeOnly")} {isOpen ? t("mayLack") : ""}
          </p>
          {forms.length > 1 ? (
            <div className="flex flex-wrap gap-4">
              {forms.map((each) => (
                <label key={each} className="flex min-h-6 items-center gap-2">
                  <input
                    type="radio"
                    name={`${id}-form`}
                    className="size-4 accent-accent"
                    checked={chosen === each}
                    onChange={() => {
                      setForm(each);
                      setSecret({});
                    }}
                  />
                  {t(`forms.${each}`)}
                </label>
              ))}
            </div>
          ) : null}
          {lines(secretFields[chosen], secret, setSecret)}
        </fieldset>
      ) : (
        <p className="flex flex-wrap items-center gap-3">
          {hasSecret ? t("isSet") : t("isNotSet")}
          {isRemoving ? null : (
            <button type="button" className="btn btn-dense" onClick={() => setReplacing(true)}>
              {hasSecret ? t("replace") : t("give")}
            </button>
          )}
        </p>
      )}
      {mayRemove ? (
        <div>
          <label className="flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              aria-describedby={`${id}-remove-hint`}
              checked={wantsNone}
              onChange={({ target }) => setWantsNone(target.checked)}
            />
            {t("removeSecret")}
          </label>
          <p id={`${id}-remove-hint`} className="max-w-prose text-dense text-muted">
            {t("removeSecretHint")}
          </p>
        </div>
      ) : null}
      {send.isError ? <ErrorNote title={t("notSaved")} error={send.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <button
          type="submit"
          className="btn btn-primary"
          disabled={send.isPending}
          aria-busy={send.isPending}
        >
          {t(send.isPending ? "testing" : "testAndSave")}
        </button>
        {isSavable ? (
          <button
            type="button"
            className="btn"
            disabled={send.isPending}
            onClick={() => send.mutate({ untested: true })}
          >
            {t("saveAnyway")}
          </button>
        ) : null}
        <button type="button" className="btn btn-quiet" onClick={onDone}>
          {t("cancel")}
        </button>
      </div>
    </form>
  );
}
