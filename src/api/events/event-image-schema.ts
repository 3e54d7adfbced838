import { z } from 'zod'
import { isEmoji } from '../../core/emoji.js'
import { LIMITS } from '../limits.js'
import { storedText } from '../validation.js'

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const PICTURE_LENGTH_MAX = Math.ceil(LIMITS.pictureBytesMax / 3) * 4

/** One emoji, as the image of an event. */
export const emojiField = storedText.refine(isEmoji, 'Expected one emoji')

/** The body of `PUT /events/:code/image`. */
export const imageSchema = z
  .strictObject({
    emoji: emojiField.optional().meta({ description: 'One emoji' }),
    picture: z
      .string()
      .max(PICTURE_LENGTH_MAX, `Expected at most ${LIMITS.pictureBytesMax} bytes`)
      .refine(text => BASE64.test(text), 'Expected base64')
      .optional()
      .meta({ description: 'A PNG, JPEG or WebP picture as base64; it is shrunk, and its metadata dropped' }),
  })
  .refine(({ emoji, picture }) => (emoji === undefined) !== (picture === undefined), {
    path: ['emoji'],
    message: 'Expected either this or picture',
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({ id: 'NewEventImage' })
