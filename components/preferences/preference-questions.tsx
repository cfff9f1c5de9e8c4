"use client";

import { PreferenceQuestion } from "./preference-question";

/** Everything about the look of the pages that a person may choose. */
export function PreferenceQuestions() {
  return (
    <div className="flex flex-col gap-4">
      <PreferenceQuestion part="theme" />
      <PreferenceQuestion part="contrast" />
      <PreferenceQuestion part="density" />
      <PreferenceQuestion part="language" />
    </div>
  );
}
