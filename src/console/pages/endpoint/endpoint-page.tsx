export default function EndpointPage({ endpoint }: { readonly endpoint: string }) {
  return <p>{endpoint}</p>;
}
