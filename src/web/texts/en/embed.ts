export const en = {
  yes: 'YES',
  no: 'NO',
  chance: 'chance of YES',
  result: 'result',
  outcomes: { yes: 'YES', no: 'NO', void: 'Void' },
  closes: (time: string) => `Closes ${time}`,
  closed: (time: string) => `Closed ${time}`,
  unknown: 'This market does not exist.',
  unavailable: 'This market cannot be shown right now.',
  membersOnly: 'Only members can see this market.',
}
