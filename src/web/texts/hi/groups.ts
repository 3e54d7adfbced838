import type { en } from '../en/groups.js'
import { HINDI_OUTCOMES } from '../plural.js'

const { yes: YES, no: NO } = HINDI_OUTCOMES

export const hi: typeof en = {
  loading: 'ग्रुप लोड हो रहा है…',
  groups: 'कई विकल्पों वाले सवाल',
  kinds: { exclusive: 'ठीक एक विकल्प जीतेगा', independent: 'हर विकल्प का अपना नतीजा' },
  closes: time => `${time} को बंद होगा`,
  sum: sum => `जोड़ ${sum}`,
  rules: 'नियम',
  outcomes: 'विकल्प',
  outcome: 'विकल्प',
  search: 'विकल्प खोजें',
  showLittle: count => `1% से कम वाले ${count} दिखाएँ`,
  more: count => `+${count} और`,
  chance: 'संभावना',
  yes: 'हाँ',
  no: 'नहीं',
  volume: 'वॉल्यूम',
  yours: 'आपके पास',
  ifWins: 'जीतने पर आपको मिलेंगे',
  getsIfWins: money => `जीतने पर ${money}`,
  held: { yes: count => `${count} ${YES}`, no: count => `${count} ${NO}` },
  results: { yes: 'जीता', no: 'हारा', void: 'रद्द' },
  releaseLabel: 'पैसे मुक्त करें',
  holdsNo: count => `${count} विकल्पों में आपके पास ${NO} हैं।`,
  holdsAll: `हर विकल्प में आपके पास ${YES} हैं।`,
  sameForAll: 'कोई भी जीते, इन पर इतने पैसे मिलेंगे ही।',
  release: money => `${money} मुक्त करें`,
  released: money => `${money} मुक्त हुए।`,
  quantity: count => `हर एक के ${count} कॉन्ट्रैक्ट`,
  youGive: 'आप देंगे',
  youGet: 'आपको मिलेगा',
  of: {
    yes: (count, label) => `${label}: ${count} ${YES}`,
    no: (count, label) => `${label}: ${count} ${NO}`,
  },
  worstCase: 'इन पैसों के साथ हर नतीजे पर आपको पहले जितना ही मिलेगा।',
  cancel: 'रद्द करें',
}
