// A player's name where there is little room.

/** `Okonkwo C.`: the given name's first letter, as pairing lists have it. Other names stand as they are. */
export function shortName(name: string): string {
  const [surname, given] = name.split(", ");
  const [initial] = given ?? "";
  return surname && initial ? `${surname} ${initial}.` : name;
}
