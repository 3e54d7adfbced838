import type { Command } from '../core/command.js'
import type { TimeMs } from '../core/units.js'
import { batchText, commandsText } from '../store/command-text.js'

/** The most commands of a batch. */
const BATCH_LENGTH_MAX = 512
/** The most commands of a group. */
export const GROUP_LENGTH_MAX = 128
/**
 * The most characters of a group with several commands: a request's body has at most 100 KB, so that the
 * longest batch stays far below 1 MB, what a log elsewhere takes as one message.
 */
const GROUP_TEXT_MAX = 128 * 1024

/** Commands that were queued together, as they cross to the executor: their time, number and text. */
export interface CommandGroup {
  readonly at: TimeMs
  readonly count: number
  /** The commands as the journal has them, separated by commas. */
  readonly text: string
}

/** Returns a group of the first of some commands: of all unless their text is too long, at least of one. */
export function groupOf(at: TimeMs, commands: readonly Command[]): CommandGroup {
  const count = commands.length
  const text = commandsText(commands)
  if (text.length <= GROUP_TEXT_MAX || count === 1) return { at, count, text }
  return groupOf(at, commands.slice(0, Math.ceil(count / 2)))
}

/**
 * Makes a batch of a group and those that wait behind it, as long as any other group fits: everything that is
 * there when the batch before is done, without a timer. Its time is that of the last group.
 */
export function gatherBatch(first: CommandGroup, next: () => CommandGroup | undefined): CommandGroup {
  let { at, count, text } = first
  while (count <= BATCH_LENGTH_MAX - GROUP_LENGTH_MAX && text.length <= GROUP_TEXT_MAX) {
    const group = next()
    if (group === undefined) break
    at = group.at
    count += group.count
    text += `,${group.text}`
  }
  return { at, count, text: batchText(text) }
}
