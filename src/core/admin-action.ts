import type { By, Command } from './command.js'
import type { MarketStatus } from './market.js'
import type { NoteWebhook } from './note.js'
import { isWebhookNote } from './note.js'
import type { AccountNumber, MarketCode } from './units.js'

/** An operator action, named as in the API's routes. */
export type AdminVerb =
  | 'create'
  | 'edit'
  | 'halt'
  | 'resume'
  | 'close'
  | 'resolve'
  | 'void'
  | 'deposit'
  | 'withdraw'
  | 'backup'
  | 'confirm_clock'
  | 'begin_epoch'
  | 'fund_quotes'
  | 'stop_quotes'
  | 'create_season'
  | 'edit_season'
  | 'delete_season'
  | 'create_webhook'
  | 'edit_webhook'
  | 'disable_webhook'
  | 'delete_webhook'
  | 'replay_webhook'

/** An entry of the audit log: who did what to which market, group or account. */
export interface AdminAction {
  readonly verb: AdminVerb
  readonly by: By
  readonly market?: MarketCode
  readonly account?: AccountNumber
}

const VERB_OF_STATUS: Readonly<Partial<Record<MarketStatus, AdminVerb>>> = {
  halted: 'halt',
  open: 'resume',
  closed: 'close',
}

/** Returns the operator action behind a command; undefined if the exchange itself sent it. */
export function adminActionOf(command: Command): AdminAction | undefined {
  switch (command.type) {
    case 'CREATE_MARKET': {
      const { by, terms } = command
      return by && { verb: 'create', by, market: terms.code }
    }
    case 'EDIT_MARKET': {
      const { by, market } = command
      return by && { verb: 'edit', by, market }
    }
    case 'MOVE_MARKET': {
      const { by, market, to } = command
      const verb = VERB_OF_STATUS[to]
      return by && verb && { verb, by, market }
    }
    case 'RESOLVE_MARKET': {
      const { by, market, outcome } = command
      return by && { verb: outcome === 'void' ? 'void' : 'resolve', by, market }
    }
    case 'CREATE_GROUP': {
      const { by, terms } = command
      return by && { verb: 'create', by, market: terms.code }
    }
    case 'EDIT_GROUP': {
      const { by, group } = command
      return by && { verb: 'edit', by, market: group }
    }
    case 'RESOLVE_GROUP': {
      const { by, group, outcomes } = command
      const isVoid = outcomes.every(([, outcome]) => outcome === 'void')
      return by && { verb: isVoid ? 'void' : 'resolve', by, market: group }
    }
    case 'FUND_QUOTES':
    case 'STOP_QUOTES': {
      const { by, type, market } = command
      return by && { verb: type === 'FUND_QUOTES' ? 'fund_quotes' : 'stop_quotes', by, market }
    }
    case 'TRANSFER_MONEY': {
      const { by, direction, account } = command
      return by && { verb: direction === 'deposit' ? 'deposit' : 'withdraw', by, account }
    }
    case 'NOTE_BACKUP':
      return command.by && { verb: 'backup', by: command.by }
    case 'CONFIRM_CLOCK':
      return command.by && { verb: 'confirm_clock', by: command.by }
    case 'BEGIN_EPOCH':
      return { verb: 'begin_epoch', by: command.by }
    case 'KEEP_SEASON': {
      const { by, isEdit } = command
      return by && { verb: isEdit ? 'edit_season' : 'create_season', by }
    }
    case 'DROP_SEASON':
      return command.by && { verb: 'delete_season', by: command.by }
    default:
      return isWebhookNote(command) && command.by ? webhookAction(command, command.by) : undefined
  }
}

const WEBHOOK_VERBS: Readonly<Record<NoteWebhook['type'], AdminVerb>> = {
  CREATE_WEBHOOK: 'create_webhook',
  EDIT_WEBHOOK: 'edit_webhook',
  DISABLE_WEBHOOK: 'disable_webhook',
  DELETE_WEBHOOK: 'delete_webhook',
  REPLAY_WEBHOOK: 'replay_webhook',
}

function webhookAction({ type }: NoteWebhook, by: By): AdminAction {
  return { verb: WEBHOOK_VERBS[type], by }
}
