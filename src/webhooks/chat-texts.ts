import type { Outcome } from '../core/market.js'

const en = {
  locale: 'en-IN',
  created: (title: string) => `New: ${title}`,
  closing_soon: (title: string) => `Closing soon: ${title}`,
  moved: (title: string) => `The chance has moved: ${title}`,
  halted: (title: string) => `Trading halted: ${title}`,
  awaiting_result: (title: string) => `Closed, awaiting a result: ${title}`,
  resolved: (title: string) => `Result: ${title}`,
  test: (site: string) => `A test message from ${site}`,
  backup_failed: (site: string) => `A backup of ${site} has failed`,
  verify_failed: (site: string) => `The files of ${site} could not be verified`,
  disk_low: (site: string) => `The disk of ${site} is almost full`,
  outcomes: { yes: 'YES', no: 'NO', void: 'Void: all trades are reversed and refunded' } as Record<
    Outcome,
    string
  >,
  chance: (chance: string) => `${chance} chance of YES`,
  weekly_digest: (site: string) => `The week on ${site}`,
  counts: (open: string, created: string) => `${open} open, ${created} new in seven days`,
  points: (change: string) => `${change} points`,
  noPrice: 'No price yet',
  closes: (time: string) => `Closes ${time}`,
  open: 'Open the market',
}

const hi: typeof en = {
  locale: 'hi-IN',
  created: title => `नया: ${title}`,
  closing_soon: title => `जल्द बंद होगा: ${title}`,
  moved: title => `संभावना बदली: ${title}`,
  halted: title => `ट्रेडिंग रुकी: ${title}`,
  awaiting_result: title => `बंद, नतीजे का इंतज़ार: ${title}`,
  resolved: title => `नतीजा: ${title}`,
  test: site => `${site} की ओर से जाँच का संदेश`,
  backup_failed: site => `बैकअप नहीं हो सका: ${site}`,
  verify_failed: site => `फ़ाइलों की जाँच सफल नहीं हुई: ${site}`,
  disk_low: site => `डिस्क लगभग भर गई है: ${site}`,
  outcomes: { yes: 'हाँ', no: 'नहीं', void: 'रद्द: सभी ट्रेड पलटे गए और पैसे लौटाए गए' },
  chance: chance => `‘हाँ’ की संभावना ${chance}`,
  weekly_digest: site => `इस हफ़्ते ${site} पर`,
  counts: (open, created) => `${open} खुले, सात दिनों में ${created} नए`,
  points: change => `${change} अंक`,
  noPrice: 'अभी कोई क़ीमत नहीं',
  closes: time => `${time} को बंद होगा`,
  open: 'मार्केट खोलें',
}

/** The texts of messages to chats, in the languages of the pages. */
export const CHAT_TEXTS: Readonly<Record<'en' | 'hi', typeof en>> = { en, hi }
