/**
 * @typedef {{ id: string, package: string, severity: string, title: string, url: string }} Advisory
 * @typedef {{ id: string, until: string, why: string }} Exception
 */

/**
 * The advisories in what `npm audit --json` printed, once each; null: the registry did not say.
 *
 * @param {string} text
 * @returns {Advisory[] | null}
 */
export function advisoriesIn(text) {
  const report = parse(text);
  if (typeof report?.vulnerabilities !== "object" || report.error) return null;
  const found = new Map();
  for (const { via } of Object.values(report.vulnerabilities)) {
    // A text names another package of the report, whose advisory it is.
    for (const each of via.filter((one) => typeof one === "object")) {
      const id = /GHSA(-[0-9a-z]{4}){3}/.exec(each.url)?.[0] ?? String(each.source);
      const { name, severity, title, url } = each;
      found.set(id, { id, package: name, severity, title, url });
    }
  }
  return [...found.values()];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * What is wrong: advisories that no exception is made of, exceptions whose day has passed, and those that are needed no more.
 *
 * @param {readonly Advisory[]} advisories
 * @param {readonly Exception[]} exceptions
 * @param {string} today `2026-11-27`
 * @returns {string[]} A line each.
 */
export function judgeAdvisories(advisories, exceptions, today) {
  const exceptionOf = (id) => exceptions.find((each) => each.id === id);
  const open = advisories
    .filter(({ id }) => !exceptionOf(id))
    .map(
      ({ id, package: name, severity, title, url }) =>
        `${id} ${name} (${severity}): ${title} ${url}`,
    );
  const over = exceptions
    .filter(({ id, until }) => until < today && advisories.some((each) => each.id === id))
    .map(({ id, until }) => `${id}: its exception ended on ${until}`);
  const idle = exceptions
    .filter(({ id }) => !advisories.some((each) => each.id === id))
    .map(({ id }) => `${id}: nothing here has it any more; remove its exception`);
  return [...open, ...over, ...idle];
}
