import { type Plan, runReference } from "@/engines";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { openWorkbench } from "../../hardware/support/plan-runner";

/**
 * Synthesises a plan's core as a build does, and simulates it on all vectors.
 *
 * @returns How many vectors it answered as the integer graph does, in the cycles of its schedule.
 * @throws {Error} naming the first that it did not.
 */
export async function proveCore(plan: Plan): Promise<number> {
  const { core, reference, vectors, files, steps, products } = plan;
  const product = products.find(({ role }) => role === "simulation");
  if (!core || !reference || !product) throw new Error("the plan has no simulated core");
  const bench = await openWorkbench();
  try {
    for (const [name, content] of files) await bench.write(name, content);
    for (const step of steps) await bench.step(step);
    const runner = createCoreRunner(loadSimulation(await bench.bytes(product.path)), core);
    for (const [index, row] of vectors.entries()) {
      const wanted = Buffer.alloc(core.outputBytes);
      for (const [at, value] of runReference(reference, row).output.entries()) {
        wanted.writeIntLE(value, at * core.bytesPerOutput, core.bytesPerOutput);
      }
      const { output, cycles } = runner.run(row);
      if (Buffer.compare(output, wanted) !== 0)
        throw new Error(`vector ${index} is answered wrong`);
      if (cycles !== core.latencyCycles) throw new Error(`vector ${index} took ${cycles} cycles`);
    }
    return vectors.length;
  } finally {
    await bench.close();
  }
}
