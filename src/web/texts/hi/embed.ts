import type { en } from '../en/embed.js'
import { HINDI_OUTCOMES } from '../plural.js'

export const hi: typeof en = {
  yes: 'हाँ',
  no: 'नहीं',
  chance: `${HINDI_OUTCOMES.yes} की संभावना`,
  result: 'नतीजा',
  outcomes: { yes: 'हाँ', no: 'नहीं', void: 'रद्द' },
  closes: time => `${time} को बंद होगा`,
  closed: time => `${time} को बंद हुआ`,
  unknown: 'यह मार्केट नहीं मिला।',
  unavailable: 'यह मार्केट अभी दिखाया नहीं जा सकता।',
  membersOnly: 'यह मार्केट केवल सदस्य देख सकते हैं।',
}
