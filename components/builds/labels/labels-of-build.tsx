"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAfterLoad } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { LabelChips } from "./label-chips";

const load = async () => (await import("./label-editor")).LabelEditor;

/** The labels of a build, and the way to change them. */
export function LabelsOfBuild({ build }: { readonly build: Build }) {
  const t = useTranslations("builds.labels");
  const Editor = useAfterLoad(load);
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing && Editor) return <Editor build={build} onClose={() => setIsEditing(false)} />;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <LabelChips labels={build.labels} isLinked />
      {Editor ? (
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          onClick={() => setIsEditing(true)}
        >
          {t(build.labels.length === 0 ? "add" : "edit")}
        </button>
      ) : null}
    </div>
  );
}
