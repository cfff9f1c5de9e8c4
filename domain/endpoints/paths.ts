/** Where an endpoint answers, below the gateway's address; the edge that knows the address puts it in front. */
export function endpointPath(name: string): string {
  return `/v2/models/${name}/infer`;
}
