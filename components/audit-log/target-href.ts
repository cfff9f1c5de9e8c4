import type { AuditEntry } from "@/lib/common/contract";

/** Pages that show one of a kind. */
const pages: Readonly<Record<string, string>> = {
  endpoint: "/endpoints/",
  build: "/builds/",
  model: "/models/",
  firmware: "/firmware/",
  board: "/boards/",
};

/** Pages that show all of a kind. */
const lists: Readonly<Record<string, string>> = {
  member: "/settings/people",
  invitation: "/settings/people",
  project: "/settings/people",
  token: "/settings/tokens",
  session: "/settings/account",
  webhook: "/settings/notifications",
  recipient: "/settings/notifications",
  delivery: "/settings/notifications",
  connection: "/settings/connections",
  attachment: "/boards",
  enrolment: "/boards",
  board_server: "/boards",
  lease: "/boards",
  lease_wait: "/boards",
  quota: "/settings/quotas",
  recipe: "/deploy",
};

/** Where what an entry is about is shown; null: nowhere. It may be gone by now, and its page says so. */
export function targetHref(target: AuditEntry["target"]): string | null {
  if (target === null) return null;
  const { noun, id } = target;
  const page = pages[noun];
  if (page !== undefined && id !== null) return page + encodeURIComponent(id);
  return lists[noun] ?? null;
}
