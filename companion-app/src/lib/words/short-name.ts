// Shortens players' names where there is little space.

/** Shortens the given name to its initial, as pairing lists do: `Okonkwo C.`. Other names are unchanged. */
export function shortName(name: string): string {
  const [surname, given] = name.split(", ");
  const [initial] = given ?? "";
  return surname && initial ? `${surname} ${initial}.` : name;
}
