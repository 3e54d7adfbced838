import type { en } from '../en/admin-list.js'
import { HINDI_OUTCOMES, hindiPlural } from '../plural.js'

export const hi: typeof en = {
  course: `${HINDI_OUTCOMES.yes} का भाव`,
  noTrades: 'अभी कोई ट्रेड नहीं हुआ।',
  book: 'ऑर्डर बुक',
  noOrders: 'कोई खुला ऑर्डर नहीं।',
  bid: `${HINDI_OUTCOMES.yes} की बोली`,
  ask: `${HINDI_OUTCOMES.yes} की बिकवाली`,
  bidQuantity: 'बोली की मात्रा',
  askQuantity: 'बिकवाली की मात्रा',
  holders: count => hindiPlural(count, { one: '# होल्डर', other: '# होल्डर' }),
  firstHolders: count => `पहले ${count}। नतीजे की झलक में सब दिखते हैं।`,
  decisions: {
    title: 'अभी फ़ैसला ज़रूरी है',
    none: 'अभी किसी फ़ैसले की ज़रूरत नहीं',
    closed: since => `नतीजा ${since} से बाक़ी है`,
    closedEarly: 'समय से पहले बंद हुआ, नतीजा बाक़ी है',
    halted: 'रोका हुआ है: फिर शुरू करें या बंद करें',
    more: count => hindiPlural(count, { one: '# और इवेंट', other: '# और इवेंट' }),
  },
  bulkMoves: {
    label: 'चुने हुए इवेंट',
    pick: 'चुनें',
    pickOne: title => `“${title}” चुनें`,
    picked: count => hindiPlural(count, { one: '# इवेंट चुना', other: '# इवेंट चुने' }),
    all: count => `पहले ${count} चुनें`,
    none: 'चुनाव हटाएँ',
    verbs: { haltMarket: 'रोकें', resumeMarket: 'फिर शुरू करें', closeMarket: 'बंद करें', resolveMarket: 'नतीजा दें' },
    titles: {
      haltMarket: count => hindiPlural(count, { one: '# इवेंट रोकें?', other: '# इवेंट रोकें?' }),
      resumeMarket: count => hindiPlural(count, { one: '# इवेंट फिर शुरू करें?', other: '# इवेंट फिर शुरू करें?' }),
      closeMarket: count => hindiPlural(count, { one: '# इवेंट बंद करें?', other: '# इवेंट बंद करें?' }),
      resolveMarket: count => hindiPlural(count, { one: '# इवेंट का नतीजा दें?', other: '# इवेंट का नतीजा दें?' }),
    },
    understood: {
      closeMarket: 'मुझे पता है कि ट्रेडिंग अभी ख़त्म होगी और फिर शुरू नहीं हो सकती।',
      resolveMarket: 'मैंने हर नतीजा जाँच लिया है। भुगतान तुरंत शुरू होगा और वापस नहीं लिया जा सकता।',
    },
    done: {
      haltMarket: count => hindiPlural(count, { one: '# इवेंट रोका गया।', other: '# इवेंट रोके गए।' }),
      resumeMarket: count => hindiPlural(count, { one: '# इवेंट फिर शुरू हुआ।', other: '# इवेंट फिर शुरू हुए।' }),
      closeMarket: count => hindiPlural(count, { one: '# इवेंट बंद हुआ।', other: '# इवेंट बंद हुए।' }),
      resolveMarket: count =>
        hindiPlural(count, { one: '# इवेंट का नतीजा दिया गया।', other: '# इवेंट के नतीजे दिए गए।' }),
    },
    resultOf: title => `“${title}” का नतीजा`,
    chooseEach: 'हर इवेंट का नतीजा चुनें।',
    stopped: (done, title, why) => `${done} के बाद “${title}” पर रुका: ${why}`,
  },
}
