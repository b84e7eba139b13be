/** Shortens the given name to its initial, as pairing lists do: `Okonkwo C.`. A name without a comma is unchanged. */
export function shortName(name: string): string {
  const [surname, given] = name.split(", ");
  const [initial] = given ?? "";
  return surname && initial ? `${surname} ${initial}.` : name;
}
