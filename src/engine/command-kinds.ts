import type { Command, HouseCommand } from '../core/command.js'
import type { GroupCommand } from '../core/group-command.js'
import type { Note } from '../core/note.js'
import { isWebhookNote } from '../core/note.js'
import { isForSeason } from '../core/season.js'

/** Tells commands on groups from those on single markets. */
export function isForGroup(command: Command): command is GroupCommand {
  switch (command.type) {
    case 'CREATE_GROUP':
    case 'EDIT_GROUP':
    case 'CONVERT':
    case 'RESOLVE_GROUP':
      return true
    default:
      return false
  }
}

/** Tells notes for the journal from what a shard decides. */
export function isNote(command: Command): command is Note {
  switch (command.type) {
    case 'KEEP_BATCH':
    case 'KEEP_AMENDMENT':
    case 'NOTE_BACKUP':
    case 'CONFIRM_CLOCK':
    case 'BEGIN_EPOCH':
    case 'SET_TIMER':
    case 'FIRE_TIMER':
      return true
    default:
      return isForSeason(command) || isWebhookNote(command)
  }
}

/** Tells commands on house quotes from other commands. */
export function isForHouse(command: Command): command is HouseCommand {
  switch (command.type) {
    case 'FUND_QUOTES':
    case 'STOP_QUOTES':
    case 'REQUOTE_HOUSE':
    case 'RETURN_HOUSE_MONEY':
      return true
    default:
      return false
  }
}
