import { z } from 'zod'
import { plainText } from '../../core/plain-text.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import type { Checked, Same } from '../same-shape.js'
import { dateTime, storedText } from '../validation.js'
import type { Announcement } from './announcement-shape.js'

const { announcementLengthMax } = LIMITS

/** One line of plain text. */
const line = storedText
  // Longer ones are not worth cleaning.
  .max(4 * announcementLengthMax, `Expected at most ${announcementLengthMax} characters`)
  .transform(text => plainText(text).replace(/\n+/g, ' '))
  .refine(
    text => text.length <= announcementLengthMax,
    `Expected at most ${announcementLengthMax} characters`,
  )

const kind = z.enum(['info', 'warning'])

/** The body of `PUT /admin/announcement`. */
export const announcementSchema = z.strictObject({
  kind: kind.default('info'),
  en: line
    .refine(text => text !== '', `Expected 1 to ${announcementLengthMax} characters`)
    .meta({ description: 'Plain text in English; line breaks become spaces' }),
  hi: line
    .nullable()
    .transform(text => (text === '' ? null : text))
    .optional()
    .meta({ description: 'The same in Hindi; without it, readers of Hindi see the English text' }),
  until: dateTime.nullable().optional().meta({ description: 'When it disappears; without it, it stays' }),
})

export const announcementAnswer = z
  .object({
    id: z.int().min(1),
    createdAt: answerField.moment,
    kind,
    en: z.string().meta({ description: 'Plain text: escape it' }),
    hi: z.string().nullable(),
    until: answerField.moment.nullable(),
  })
  .meta({ id: 'Announcement' })

export type AnnouncementAnswer = Checked<
  Announcement,
  Same<Announcement, z.output<typeof announcementAnswer>>
>
