"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Loaded, Section, Skeleton } from "@/components/ui";
import { aboutQuery } from "./api";

/** Which version this is, and the licences of the packages that it is made of. */
export function AboutSection() {
  const t = useTranslations("settings.about");
  return (
    <>
      <p className="mb-6 max-w-prose text-muted">{t("intro")}</p>
      <Loaded
        query={useQuery(aboutQuery())}
        loading={<Skeleton lines={8} height={28} />}
        failure={t("unreadable")}
      >
        {({ version, licence, node, schema, packages }) => (
          <>
            <dl className="mb-10 grid max-w-[480px] grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-1">
              {[
                [t("version"), version],
                [t("licence"), licence],
                [t("node"), node],
                [t("schema"), String(schema)],
              ].map(([name, value]) => (
                <div key={name} className="contents">
                  <dt className="text-muted">{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Section title={t("packages")} id="licences">
              <table className="table max-w-[640px]">
                <thead>
                  <tr>
                    <th scope="col">{t("package")}</th>
                    <th scope="col">{t("version")}</th>
                    <th scope="col">{t("licence")}</th>
                  </tr>
                </thead>
                <tbody>
                  {packages.map((each) => (
                    <tr key={each.name}>
                      <td>
                        <code className="break-all">{each.name}</code>
                      </td>
                      <td>{each.version ?? "–"}</td>
                      <td>{each.licence ?? "–"}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}
