import { useTranslations } from "next-intl";
import { useBoardFacts } from "@/components/boards";
import { modelTitle } from "@/components/ui";
import type { RecipeContent } from "@/lib/common/contract";

/** What a recipe holds, in one line: `boardwalk · Smallest · iCEBreaker · digits-mlp`. */
export function RecipeLine({ content }: { content: RecipeContent }) {
  const t = useTranslations("deploy.recipes");
  const presets = useTranslations("deploy.presets");
  const { engine, preset, options = {}, board, model, serving = {}, features } = content;
  const { name: boardName } = useBoardFacts(board && "model" in board ? board.model : "");
  const count = Object.keys(options).length;
  const parts = [
    engine,
    preset === undefined ? undefined : presets(`names.${preset}`),
    count > 0 && preset === undefined ? t("options", { count }) : undefined,
    board && ("id" in board ? t("oneBoard") : boardName),
    Object.keys(serving).length > 0 ? t("serving") : undefined,
    model && modelTitle(model.url),
    features && t("features", { count: features.length }),
  ].filter((part) => part !== undefined && part !== "");
  return <span className="break-words text-muted">{parts.join(" · ")}</span>;
}
