import { newUserIdFault } from '../../api/new-user-id.js'

const LENGTH = { min: 2, max: 32 }

/** The letters of names, each of one script: a Cyrillic а looks like a Latin one. */
const SCRIPTS = [
  'a-zß-öø-ÿ',
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'].map(byName),
  ...['Malayalam', 'Sinhala', 'Arabic'].map(byName),
]
/** Begins with a letter or digit: neither `..` nor `-rf` is a name. */
const SHAPES = SCRIPTS.map(letters => new RegExp(`^[${letters}0-9][${letters}0-9._-]*$`, 'u'))

/** Returns the form in which names are compared: NFKC, in lower case, without surrounding white space. */
export function foldedName(written: string): string {
  return written.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
}

/** Returns why a folded name cannot be that of a new account; undefined if it can. */
export function nameFault(folded: string): string | undefined {
  const length = [...folded].length
  if (length < LENGTH.min || length > LENGTH.max) {
    return `Expected ${LENGTH.min} to ${LENGTH.max} characters`
  }
  if (!SHAPES.some(shape => shape.test(folded))) {
    return 'Expected letters of one script, digits, ".", "_" and "-", and a letter or digit first'
  }
  return newUserIdFault(folded)
}

function byName(script: string): string {
  return `\\p{Script=${script}}`
}
