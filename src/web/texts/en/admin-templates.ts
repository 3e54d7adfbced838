import { plural } from '../plural.js'

export const en = {
  templates: 'Templates',
  times: (opens: string, closes: string, days: number) =>
    days === 0
      ? `${opens} to ${closes}, the same day`
      : `${opens} to ${closes}, ${plural(days, { one: '# day later', other: '# days later' })}`,
  delete: 'Delete',
  deleteNamed: (name: string) => `Delete the template “${name}”`,
  saveAs: 'Save as template',
  what: 'Keeps all fields, with the times of day in place of the dates. {date} and {weekday} in the question and the rules stand for the day of closing.',
  name: 'Name',
  nameHint: 'A template of the same name is replaced.',
  nameWanted: 'Enter a name, for example Rain in Mumbai.',
  tooLong: 'An event of a template lasts at most 365 days.',
  save: 'Save template',
  saved: (name: string) => `Template “${name}” saved.`,
  reads: (title: string) => `Traders read: “${title}”`,
}
