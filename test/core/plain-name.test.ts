import t from 'tap'
import { hiddenCharacter, plainName, skeletonOf } from '../../src/core/plain-name.js'

t.test('a new name is composed and trimmed', t => {
  t.equal(plainName('  Zoe\u0308\u00a0'), 'Zo\u00eb')
  t.equal(plainName('\ufeffasha'), 'asha', 'a surrounding byte order mark counts as space')
  t.end()
})

t.test('direction overrides and invisible characters are reported', t => {
  const points = [
    0x61c, 0x200b, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0x200c, 0x200d,
  ]
  for (const point of points) {
    const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    t.equal(hiddenCharacter(`as${String.fromCharCode(point)}ha`), name, name)
  }
  for (const name of ['asha', 'आशा', 'علي', 'Zoë', 'a b', '日本', '🦊']) {
    t.equal(hiddenCharacter(name), undefined, name)
  }
  t.end()
})

t.test('joiners are allowed where they change the shape of a word', t => {
  const allowed: Readonly<Record<string, string>> = {
    'a Persian prefix (A1)': '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    'a conjunct that is held apart (A2)': '\u0915\u094d\u200c\u0937',
    'a half form (B)': '\u0915\u094d\u200d\u0937',
    'a half form at the end (B)': '\u0930\u094d\u200d',
    'an emoji': '\u{1f469}\u200d\u{1f33e}',
    'an emoji with a skin tone': '\u{1f469}\u{1f3fd}\u200d\u{1f33e}',
    'Sinhala (B)': '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
  }
  for (const [why, name] of Object.entries(allowed)) t.equal(hiddenCharacter(name), undefined, why)
  const refused: Readonly<Record<string, string>> = {
    'between Latin letters': 'a\u200db',
    'at the beginning': '\u200d\u0915',
    'without a virama': '\u0915\u200d\u0937',
    twice: '\u0915\u094d\u200d\u200d\u0937',
    'a virama behind no letter': '\u094d\u200d\u0937',
    'before a vowel sign': '\u0915\u094d\u200d\u093e',
    'ZWNJ at the end': '\u0915\u094d\u200c',
    'behind a letter that joins nothing after it': '\u0648\u200c\u062e',
    'behind an emoji': '\u{1f468}\u200da',
  }
  for (const [why, name] of Object.entries(refused)) {
    t.equal(hiddenCharacter(name), why.includes('ZWNJ') || why.includes('joins') ? 'U+200C' : 'U+200D', why)
  }
  t.equal(skeletonOf('\u0915\u094d\u200c\u0937'), skeletonOf('\u0915\u094d\u200d\u0937'))
  t.end()
})
