import type { Command, Note } from '../core/command.js'

/** Tells notes for the journal from what a shard decides. */
export function isNote(command: Command): command is Note {
  return command.type === 'KEEP_BATCH' || command.type === 'NOTE_BACKUP' || command.type === 'CONFIRM_CLOCK'
}
