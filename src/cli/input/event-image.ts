import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../exit-errors.js'

/** The body of a change of an event's image. */
type NewImage = { readonly emoji: string } | { readonly picture: string }

/** Written in ASCII alone, so no emoji. */
const ASCII = /^[ -~]*$/
const BYTES_MAX = 2_000_000

/** Returns the image of an event: a file if there is one of that name, else an emoji. Throws UsageError. */
export function eventImage(given: string): NewImage {
  const file = statSync(given, { throwIfNoEntry: false })
  if (file?.isFile() !== true) {
    if (!ASCII.test(given)) return { emoji: given }
    throw new UsageError(`--image is ${given}: give one emoji, or a PNG, JPEG or WebP file`)
  }
  if (file.size > BYTES_MAX) throw new UsageError(`--image is ${given}: give a file of at most 2 MB`)
  return { picture: readFileSync(given, 'base64') }
}
