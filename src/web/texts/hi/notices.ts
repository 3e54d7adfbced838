import type { en } from '../en/notices.js'
import { HINDI_OUTCOMES, hindiPlural } from '../plural.js'

const DONE = { buy: 'ख़रीदे', sell: 'बेचे' }
const ORDER = { buy: 'ख़रीद', sell: 'बिक्री' }

export const hi: typeof en = {
  and: ' और ',
  deal: (deal, outcome, quantity, price) =>
    `${price} पर ${quantity} ${HINDI_OUTCOMES[outcome]} कॉन्ट्रैक्ट ${DONE[deal]}`,
  order: (deal, outcome, quantity, price) =>
    `${price} पर ${quantity} ${HINDI_OUTCOMES[outcome]} की ${ORDER[deal]} का ऑर्डर`,
  filled: deals => `ऑर्डर पूरा हुआ। ${deals}।`,
  partFilled: (deals, left) => `ऑर्डर का एक हिस्सा पूरा हुआ। ${deals}; ${left} बाक़ी।`,
  cancelled: (order, why) => `${order} रद्द हो गया। ${why}`.trim(),
  expired: order => `${order} की समय-सीमा ख़त्म हो गई।`,
  rejected: (order, why) => `${order} अस्वीकार हुआ। ${why}`.trim(),
  settled: (result, payment, gain) =>
    `नतीजा: ${HINDI_OUTCOMES[result]}। आपको ${payment} मिले (लाभ-हानि ${gain})।`,
  voided: payment => `मार्केट रद्द: सभी ट्रेड पलट दिए गए। आपको ${payment} मिले।`,
  status: {
    open: 'आपके कॉन्ट्रैक्ट वाले मार्केट में ट्रेडिंग फिर शुरू हुई।',
    halted: 'आपके कॉन्ट्रैक्ट वाले मार्केट में ट्रेडिंग रुकी हुई है।',
    closed: 'ट्रेडिंग बंद हो गई। आपके कॉन्ट्रैक्ट को नतीजे का इंतज़ार है।',
  },
  mentioned: (by, text) => `${by} ने एक कमेंट में आपका ज़िक्र किया: “${text}”`,
  notifications: 'सूचनाएँ',
  bell: count => (count === 0 ? 'सूचनाएँ' : `सूचनाएँ, ${hindiPlural(count, { one: '# नई', other: '# नई' })}`),
  none: 'अभी कुछ नहीं। पूरे हुए और रद्द ऑर्डर, इवेंट का रुकना और बंद होना, नतीजे और आपके ज़िक्र यहाँ दिखेंगे।',
  isNew: 'नया',
  allHistory: 'पूरा इतिहास',
  settings: 'सेटिंग',
  wants: {
    fills: 'पूरे हुए ऑर्डर',
    endings: 'रद्द और अस्वीकृत ऑर्डर',
    results: 'रुकना, बंद होना, नतीजे और भुगतान',
    mentions: 'आपके ज़िक्र वाले कमेंट',
    browser: 'जब यह पेज सामने न हो, तब ब्राउज़र की सूचनाएँ',
    sound: 'आवाज़',
  },
  refused: 'आपका ब्राउज़र इस साइट की सूचनाएँ रोकता है। उसकी सेटिंग में इन्हें चालू करें।',
  absent: 'ब्राउज़र की सूचनाओं के लिए HTTPS चाहिए।',
  dismiss: 'हटाएँ',
  more: count => `सूचनाओं में ${hindiPlural(count, { one: '# और', other: '# और' })}`,
}
