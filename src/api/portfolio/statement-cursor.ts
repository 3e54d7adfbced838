import type { EntryPlace } from '../../core/records/statement-record.js'
import type { Sequence } from '../../core/units.js'

/** Returns the id of the line at a place. */
export function placeText({ sequence, line }: EntryPlace): string {
  return `${sequence}-${line}`
}

/** Returns the place of a line by its id, which is the cursor of a page that ends with it. */
export function placeOf(id: string): EntryPlace | undefined {
  const [, sequence, line] = /^(\d{1,15})-(\d{1,9})$/.exec(id) ?? []
  if (sequence === undefined || line === undefined) return undefined
  return { sequence: Number(sequence) as Sequence, line: Number(line) }
}
