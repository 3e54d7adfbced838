/** Returns the hue of a name, from 0 to 359: always the same for the same name. */
export function nameHue(name: string): number {
  let hash = 0
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 3600
  // Neighbouring names are far apart.
  return (hash * 137) % 360
}

/** Returns the first letter of a name with its marks, as a capital where the script has them. */
export function firstLetter(name: string): string {
  const letter = /[\p{L}\p{N}]\p{M}*/u.exec(name)?.[0] ?? '·'
  return letter.toUpperCase()
}
