import type { en } from '../en/admin-house.js'
import { HINDI_OUTCOMES } from '../plural.js'

const { yes: YES, no: NO } = HINDI_OUTCOMES

export const hi: typeof en = {
  title: 'हाउस कोट',
  running: 'चालू',
  stop: 'कोट रोकें',
  about:
    'एक्सचेंज इस बजट से दोनों तरफ़ कोट देता है, ताकि पहला ट्रेडर भी ट्रेड कर सके। हर ट्रेड के साथ वह अपनी क़ीमतें बदलता है, और बजट से ज़्यादा कभी नहीं गँवाता।',
  budget: 'बजट',
  budgetField: 'बजट, ₹',
  startField: `${YES} की शुरुआती क़ीमत, ₹`,
  evenShare: 'ख़ाली छोड़ें, तो भुगतान का बराबर हिस्सा।',
  stepField: 'अंतर, ₹',
  stepHint: 'उसकी क़ीमतों के बीच। ख़ाली छोड़ें, तो भुगतान का लगभग 1/100।',
  fund: budget => `${budget} से कोट दें`,
  each: 'हर विकल्प:',
  sells: (count, price) => `${price} तक ${count} ${YES} बेचता है`,
  buys: (count, price) => `${price} तक ${count} ${YES} ख़रीदता है`,
  numberWanted: 'संख्या लिखें।',
  neverMore: money => `${money} से ज़्यादा कभी नहीं गँवाता।`,
  asksOnly: `शुरू में वह केवल ${YES} बेचता है: शुरुआती क़ीमत से नीचे कोई क़ीमत नहीं है।`,
  worstCase: 'अभी सबसे बुरा नतीजा',
  maxLoss: 'ज़्यादा से ज़्यादा नुक़सान',
  ifYes: `${YES} होने पर`,
  ifNo: `${NO} होने पर`,
  startPrice: 'शुरुआती क़ीमत',
  startAndStep: (price, step) => `${price} ± ${step}`,
  inventory: 'हाथ में',
  held: (yes, no) => `${yes} ${YES}, ${no} ${NO}`,
  gainsByNo: `${NO} से फ़ायदा`,
  gainsByYes: `${YES} से फ़ायदा`,
  lossLabel: 'अब तक का नुक़सान',
  lossSoFar: (lost, budget) => `अब तक का नुक़सान ${lost}, ज़्यादा से ज़्यादा ${budget}`,
  holder: 'हाउस कोट',
  outcome: 'विकल्प',
  stopped: (returned, budget) =>
    `रोके गए। ${budget} में से ${returned} वापस आ गए; उसके कॉन्ट्रैक्ट का मूल्य नतीजे के साथ आएगा।`,
  allBack: (returned, budget) => `ख़त्म। ${budget} में से ${returned} वापस आए।`,
}
