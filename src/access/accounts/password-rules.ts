import { foldedName } from '../../core/plain-name.js'

const LENGTH = { min: 10, max: 256 }

/**
 * The commonest passwords of ten characters and more, and those one would think of here. A longer list would
 * refuse little else: such lists are mostly of shorter ones.
 */
const COMMON: ReadonlySet<string> = new Set(
  [
    '1234567890 0123456789 9876543210 0987654321 1234567891 12345678910 123456789a a123456789 123456789q',
    '1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc q1w2e3r4t5 q1w2e3r4t5y6 qwertyuiop qwertyuiop123 qwerty123456',
    'qwerty12345 asdfghjkl1 asdfghjkl; zxcvbnm123 abcdefghij abcdefghijk abcd123456 abc1234567 abc123456789',
    'password12 password123 password1234 password12345 password123456 passw0rd123 p@ssw0rd123 password@123',
    'iloveyou12 iloveyou123 welcome123 welcome1234 admin12345 admin123456 administrator letmein123',
    'princess123 sunshine123 football123 michael123 superman123 monkey12345',
    'changeme123 changeme1234 default123 qazwsxedcr qazwsxedcrfv',
    'india12345 india@12345 mumbai12345',
    'cricket123 krishna123 ganesh1234 jaihind123 jaishreeram raaypassword opinion123 tradetrade',
  ]
    .join(' ')
    .split(' '),
)
const ONE_CHARACTER = /^(.)\1*$/su

/** Returns the form in which passwords are compared: however a keyboard composes it, an é stays an é. */
export function plainPassword(written: string): string {
  return written.normalize('NFKC')
}

/** Returns why a plain password is not accepted for an account; undefined if it is. */
export function passwordFault(password: string, name: string): string | undefined {
  const length = [...password].length
  if (length < LENGTH.min || length > LENGTH.max) {
    return `Expected ${LENGTH.min} to ${LENGTH.max} characters`
  }
  const folded = foldedName(password)
  if (folded === foldedName(name)) return 'Expected something other than the name'
  const isCommon = COMMON.has(folded) || ONE_CHARACTER.test(password)
  return isCommon ? 'Expected a password that fewer people use' : undefined
}
