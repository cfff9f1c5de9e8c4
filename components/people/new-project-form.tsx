import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, submitOnce, TextField } from "@/components/ui";
import { chooseProject, makeProject } from "./api";

/** Makes a project and shows it. */
export function NewProjectForm() {
  const t = useTranslations("people.projects");
  const id = useId();
  const [name, setName] = useState("");
  const send = useMutation({
    mutationFn: async () => chooseProject((await makeProject(name.trim())).id),
    onSuccess: () => location.assign("/settings/people"),
  });
  return (
    <form className="grid max-w-[840px] gap-4" onSubmit={submitOnce(send)}>
      <TextField
        id={id}
        label={t("name")}
        hint={t("nameHint")}
        width="half"
        maxLength={63}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      {send.isError ? <ErrorNote title={t("failed")} error={send.error} /> : null}
      <button type="submit" className="btn justify-self-start" disabled={send.isPending}>
        {t("make")}
      </button>
    </form>
  );
}
