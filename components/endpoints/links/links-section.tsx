import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Loaded, Skeleton } from "@/components/ui";
import { linksQuery } from "./api";
import { LinkRows } from "./link-rows";
import { NewLinkForm } from "./new-link-form";

/** Links by which people without an account may ask an endpoint: those there are, and the way to a new one. */
export function LinksSection({ endpoint }: { readonly endpoint: string }) {
  const t = useTranslations("links");
  return (
    <>
      <Loaded
        query={useQuery(linksQuery(endpoint))}
        loading={<Skeleton lines={2} height={48} />}
        failure={t("unreadable")}
      >
        {({ items }) =>
          items.length === 0 ? (
            <p className="mb-4 text-muted">{t("none")}</p>
          ) : (
            <LinkRows endpoint={endpoint} links={items} />
          )
        }
      </Loaded>
      <NewLinkForm endpoint={endpoint} />
    </>
  );
}
