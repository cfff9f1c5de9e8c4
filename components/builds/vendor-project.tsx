import type { Build } from "@/lib/common/contract";

/** Of a board whose bitstream needs a vendor's tool: what there is instead, and where to get it. */
export function VendorProject({ build }: { build: Build }) {
  const tool = build.report?.bitstreamNeeds;
  if (tool === undefined || build.artifactDigest === null) return null;
  return (
    <section>
      <h2 className="label mb-1">Bitstream</h2>
      <p>Needs {tool}</p>
      <p className="text-dense text-muted">
        The whole project is written: Verilog, pins, scripts and one command. A simulated board
        serves the model meanwhile.
      </p>
      <a href={`/api/v1/artifacts/${build.artifactDigest}/files/project`} download>
        Download the {tool} project
      </a>
    </section>
  );
}
