"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { meQuery } from "@/components/me";
import { Loaded, Section, Skeleton } from "@/components/ui";
import { invitationsQuery, membersQuery } from "./api";
import { InvitationRows } from "./invitation-rows";
import { InviteForm } from "./invite-form";
import { MemberRows } from "./member-rows";
import { NewProjectForm } from "./new-project-form";

/** The people of the project: who they are, what they may do, and the way to invite others. */
export function PeopleSettings() {
  const t = useTranslations("people");
  const me = useQuery(meQuery()).data;
  const mayChange = me?.rights.includes("members") ?? false;
  const project = me?.projects.find(({ isCurrent }) => isCurrent)?.name;
  return (
    <>
      <Section title={project ? t("members.of", { project }) : t("members.title")} id="members">
        <Loaded
          query={useQuery(membersQuery())}
          loading={<Skeleton lines={3} height={48} />}
          failure={t("members.unreadable")}
        >
          {({ items }) => (
            <MemberRows members={items} mayChange={mayChange} runsAll={me?.isAdmin ?? false} />
          )}
        </Loaded>
      </Section>
      {mayChange ? (
        <Invitations />
      ) : me ? (
        <p className="text-muted">{t("members.noRight")}</p>
      ) : null}
      {me?.isAdmin ? (
        <Section title={t("projects.new")} id="projects">
          <NewProjectForm />
        </Section>
      ) : null}
    </>
  );
}

function Invitations() {
  const t = useTranslations("people.invitations");
  return (
    <Section title={t("title")} id="invitations">
      <Loaded
        query={useQuery(invitationsQuery())}
        loading={<Skeleton lines={2} height={48} />}
        failure={t("unreadable")}
      >
        {({ items }) => (items.length > 0 ? <InvitationRows invitations={items} /> : null)}
      </Loaded>
      <InviteForm />
    </Section>
  );
}
