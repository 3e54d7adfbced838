import type { en } from '../en/admin-fees.js'
import { hindiPlural } from '../plural.js'

export const hi: typeof en = {
  title: 'शुल्क',
  about: 'शुल्क में कितना आया, दिन और इवेंट के हिसाब से। दिन UTC के हैं।',
  fees: 'शुल्क',
  none: 'कोई नहीं',
  taker: 'टेकर',
  maker: 'मेकर',
  rates: (taker, maker) => `टेकर ${taker} · मेकर ${maker}`,
  rate: (percent, most, contracts, price) =>
    `क़ीमत × (पेआउट − क़ीमत) ÷ पेआउट का ${percent}: ${price} पर ${contracts} कॉन्ट्रैक्ट के लिए ज़्यादा से ज़्यादा ${most}.`,
  sentence: (who, words) => `${who} शुल्क: ${words}`,
  inherited: 'ख़ाली: कैटेगरी या एक्सचेंज की दर।',
  rateRange: 'पूरे बेसिस पॉइंट, 0 से 1,000. 100 यानी 1%.',
  day: 'दिन',
  event: 'इवेंट',
  byDay: 'दिन से',
  byEvent: 'इवेंट से',
  view: 'देखें',
  cameIn: 'लिया गया',
  latest: rows => hindiPlural(rows, { one: 'सबसे नई # पंक्ति में', other: 'सबसे नई # पंक्तियों में' }),
  collected: 'निपटे इवेंट का, एक्सचेंज के पास',
  collectedNote: 'इवेंट निपटने पर उसका शुल्क एक्सचेंज का होता है। इवेंट रद्द हो तो शुल्क लौटाया जाता है।',
  empty: 'अभी कोई शुल्क नहीं। दर एक्सचेंज, कैटेगरी, ग्रुप या इवेंट के लिए तय होती है।',
  nothingMatches: 'इन दिनों में कोई शुल्क नहीं।',
}
