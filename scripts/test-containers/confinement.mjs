// What a container may not do, and what keeps it from that.

/** What the kernel holds a container to: cgroups of version 2, or 1. */
const limits = {
  memory: ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"],
  processes: ["/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"],
};

/**
 * Looks whether a container is confined as `docker-compose.yml` says.
 *
 * @throws {Error} Names the first thing that is not so.
 */
export async function expectConfined({ tell, inspect }, name) {
  const { HostConfig: host, EffectiveCaps: capabilities } = await inspect(name);
  const expect = (holds, what) => {
    if (!holds) throw new Error(`${name}: ${what}.`);
  };
  expect(host.ReadonlyRootfs, "its file system can be written");
  expect(host.Memory > 0, "its memory has no limit");
  expect(!capabilities?.length, `it has capabilities: ${capabilities}`);
  expect(host.SecurityOpt.includes("no-new-privileges"), "its processes may gain privileges");

  const inside = (script) => tell("exec", name, "sh", "-c", script);
  const [memory, processes] = await Promise.all(
    Object.values(limits).map(([second, first]) =>
      inside(`cat ${second} 2>/dev/null || cat ${first}`),
    ),
  );
  expect(Number(memory) === host.Memory, `the kernel lets it have ${memory} bytes`);
  expect(Number(processes) > 0, `the kernel lets it have ${processes} processes`);

  const users = (await tell("top", name, "huser"))?.split("\n").slice(1) ?? [];
  expect(users.length > 0, "it has no process");
  expect(!users.some((user) => ["0", "root"].includes(user.trim())), "a process of it is root");

  const refusal = await inside("touch /probe 2>&1; true");
  expect(/read-only/i.test(refusal ?? ""), `it writes where it should not: ${refusal}`);
}
