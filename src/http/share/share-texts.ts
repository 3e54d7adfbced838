const en = {
  locale: 'en-IN',
  yes: 'YES',
  no: 'NO',
  void: 'Void',
  chanceOfYes: 'chance of YES',
  noPrice: 'No price yet',
  result: 'Result',
  awaitingResult: 'Closed, awaiting result',
  refunded: 'All trades are reversed and refunded',
  closes: (day: string) => `Closes ${day}`,
  closed: (day: string) => `Closed ${day}`,
  chance: (chance: string) => `${chance} chance of YES`,
  prices: (yes: string, no: string) => `YES ${yes}, NO ${no}`,
  resolvedAs: (outcome: string) => `Resolved: ${outcome}`,
  traded: (count: string) => `${count} contracts traded`,
  outcomes: (count: number) => `${count} outcomes`,
  feed: (site: string) => `${site}: new and resolved markets`,
  isNew: (title: string) => `New: ${title}`,
  isResolved: (outcome: string, title: string) => `${outcome}: ${title}`,
}

const hi: typeof en = {
  locale: 'hi-IN',
  yes: 'हाँ',
  no: 'नहीं',
  void: 'रद्द',
  chanceOfYes: '‘हाँ’ की संभावना',
  noPrice: 'अभी कोई क़ीमत नहीं',
  result: 'नतीजा',
  awaitingResult: 'बंद, नतीजे का इंतज़ार',
  refunded: 'सभी ट्रेड पलटे गए और पैसे लौटाए गए',
  closes: day => `${day} को बंद होगा`,
  closed: day => `${day} को बंद हुआ`,
  chance: chance => `‘हाँ’ की संभावना ${chance}`,
  prices: (yes, no) => `‘हाँ’ ${yes}, ‘नहीं’ ${no}`,
  resolvedAs: outcome => `नतीजा: ‘${outcome}’`,
  traded: count => `${count} कॉन्ट्रैक्ट ट्रेड हुए`,
  outcomes: count => `${count} विकल्प`,
  feed: site => `${site}: नए और घोषित नतीजों वाले मार्केट`,
  isNew: title => `नया: ${title}`,
  isResolved: (outcome, title) => `‘${outcome}’: ${title}`,
}

export type ShareTexts = typeof en

/** The texts of links, in the languages of the pages. */
export const SHARE_TEXTS: Readonly<Record<'en' | 'hi', ShareTexts>> = { en, hi }
