import { firstLetter, nameHue } from '../../kit/name-hue.js'

/** Icons by words of a category, in English or Hindi. */
const ART: readonly (readonly [words: RegExp, path: string])[] = [
  [
    /sport|cricket|football|match|\bcups?\b|league|tournament|खेल|क्रिकेट|टूर्नामेंट/i,
    'M5 19 18 6l2 2L7 21ZM6 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  ],
  [/stock|price|econom|financ|crypto|शेयर|क़ीमत/i, 'M4 19V5m0 14h16M7 15l4-5 3 3 5-7'],
  [
    /weather|\brain|climate|monsoon|मौसम/i,
    'M7 15a4 4 0 1 1 1-7.9 5 5 0 0 1 9.5 2A3 3 0 0 1 17 15ZM8 18v2m4-2v3m4-3v2',
  ],
  [/film|movie|music|entertain|फ़िल्म|मनोरंजन/i, 'M4 9h16v11H4Zm0 0 15-4 1 4M8 8 7 5m5 2-1-3m5 2-1-3'],
  [
    /space|science|tech|अंतरिक्ष|विज्ञान/i,
    'M12 3c4 3 5 8 3 13H9C7 11 8 6 12 3Zm-3 9-3 3v4l3-2m6-5 3 3v4l-3-2m-3-8v2',
  ],
  [/travel|transport|train|flight|यात्रा|रेल/i, 'M6 4h12v12H6Zm0 7h12M9 16l-3 4m9-4 3 4M9 13.5v0m6 0v0'],
  [/politic|election|govern|राजनीति|चुनाव/i, 'M4 12h16v8H4Zm4 0 3-8 6 2-3 6m-5 4h6'],
]

/** The picture of a market that has none of its own: its category’s. */
export function CategoryArt({
  category,
  title,
}: {
  readonly category: string | null
  readonly title: string
}) {
  const name = category ?? title
  const path = ART.find(([words]) => words.test(name))?.[1]
  return (
    <span class="market-picture category-art" style={{ '--hue': String(nameHue(name)) }} aria-hidden="true">
      {path === undefined ? (
        firstLetter(name)
      ) : (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={path} />
        </svg>
      )}
    </span>
  )
}
