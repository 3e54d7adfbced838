/**
 * The Devanagari fonts of Android and Linux, of Windows, and of Apple's systems, by PostScript name.
 * A reader who has one of them need not load the site's own.
 */
const REGULAR = ['NotoSansDevanagari-Regular', 'NirmalaUI', 'KohinoorDevanagari-Regular']
const BOLD = ['NotoSansDevanagari-Bold', 'NirmalaUI-Bold', 'KohinoorDevanagari-Semibold']

/** Makes the system's letters known to the page; each is looked up when a text first needs it. */
export function addSystemLetters(): readonly FontFace[] {
  // A variable font has one name for all weights.
  const faces = [face(REGULAR, '400 500'), face([...BOLD, ...REGULAR], '501 700')]
  for (const added of faces) document.fonts.add(added)
  return faces
}

function face(names: readonly string[], weight: string): FontFace {
  const source = names.map(name => `local("${name}")`).join()
  return new FontFace('SystemDevanagari', source, { weight, unicodeRange: 'U+900-97F, U+200C-200D' })
}
