import type { en } from '../en/admin-seasons.js'
import { hindiPlural } from '../plural.js'

export const hi: typeof en = {
  title: 'सीज़न',
  about:
    'सीज़न शुरू होते ही सभी खुले ऑर्डर रद्द हो जाते हैं और हर यूज़र को बराबर रक़म मिलती है। कॉन्ट्रैक्ट बने रहते हैं और उसी रक़म में गिने जाते हैं।',
  guide: 'सीज़न कैसे चलते हैं',
  newSeason: 'नया सीज़न',
  name: 'नाम',
  starts: 'शुरू',
  ends: 'ख़त्म',
  stake: 'शुरुआती रक़म',
  stakeRupees: 'शुरुआती रक़म (₹)',
  stakeHint: 'शुरुआत में हर यूज़र की रक़म, खुले इवेंट में लगी रक़म मिलाकर।',
  create: 'सीज़न बनाएँ',
  fields: {
    missing: 'यह ज़रूरी है।',
    number: 'कोई संख्या, जैसे 10,000।',
    time: 'तारीख़ और समय।',
  },
  status: 'स्थिति',
  statuses: {
    planned: 'तय',
    turning: 'शुरू हो रहा है',
    running: 'चल रहा है',
    over: 'ख़त्म',
    skipped: 'छूट गया',
  },
  edit: 'बदलें',
  editTitle: name => `${name} बदलें`,
  delete: 'हटाएँ',
  preview: 'शुरुआत का असर देखें',
  empty: 'अभी कोई सीज़न नहीं है।',
  turnTitle: name => `अगर ${name} अभी शुरू हो`,
  turn: {
    users: (changed, users) => `${users} में से ${changed} यूज़र की रक़म बदलेगी।`,
    orders: (count, shown) =>
      hindiPlural(count, { one: 'एक खुला ऑर्डर रद्द होगा।', other: `${shown} खुले ऑर्डर रद्द होंगे।` }),
    money: (paidIn, paidOut) => `${paidIn} जमा होंगे, ${paidOut} निकाले जाएँगे।`,
    floored: (count, shown) =>
      hindiPlural(count, {
        one: 'एक यूज़र ने खुले इवेंट में शुरुआती रक़म से ज़्यादा लगाया है, उसके पास नक़द कुछ नहीं बचेगा।',
        other: `${shown} यूज़र ने खुले इवेंट में शुरुआती रक़म से ज़्यादा लगाया है, उनके पास नक़द कुछ नहीं बचेगा।`,
      }),
  },
  deleteTitle: name => `${name} हटाएँ?`,
  deleteText: 'यह अभी शुरू नहीं हुआ है। और कुछ नहीं बदलेगा।',
}
