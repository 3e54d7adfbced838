import type { en } from '../en/admin-templates.js'
import { hindiPlural } from '../plural.js'

export const hi: typeof en = {
  templates: 'टेम्पलेट',
  times: (opens, closes, days) =>
    days === 0
      ? `${opens} से ${closes}, उसी दिन`
      : `${opens} से ${closes}, ${hindiPlural(days, { one: '# दिन बाद', other: '# दिन बाद' })}`,
  delete: 'हटाएँ',
  deleteNamed: name => `टेम्पलेट “${name}” हटाएँ`,
  saveAs: 'टेम्पलेट के रूप में सेव करें',
  what: 'सभी जानकारी रहती है, तारीख़ों की जगह सिर्फ़ समय। सवाल और नियमों में {date} और {weekday} की जगह बंद होने का दिन आता है।',
  name: 'नाम',
  nameHint: 'इसी नाम का टेम्पलेट बदल जाएगा।',
  nameWanted: 'नाम लिखें, जैसे मुंबई में बारिश।',
  tooLong: 'टेम्पलेट का इवेंट ज़्यादा से ज़्यादा 365 दिन चल सकता है।',
  save: 'टेम्पलेट सेव करें',
  saved: name => `टेम्पलेट “${name}” सेव हो गया।`,
  reads: title => `ट्रेडर पढ़ेंगे: “${title}”`,
}
