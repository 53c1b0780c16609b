/** Numbers with their names, such as errors by code. */
export function CountsList({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return <span class="quiet">none</span>;
  return (
    <ul class="counts">
      {some.map(([name, count]) => (
        <li key={name}>
          {count.toLocaleString('en')} {name}
        </li>
      ))}
    </ul>
  );
}
