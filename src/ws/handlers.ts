import {
  authenticate,
  cancelOnDisconnect,
  subscribeGroup,
  subscribeOrderbook,
  subscribeUser,
  unsubscribeGroup,
  unsubscribeOrderbook,
  unsubscribeUser,
} from '../api/channels/messages.js'
import type { Authentication } from './authentication.js'
import type { DisconnectCancels } from './disconnect-cancels.js'
import type { Subscriptions } from './feeds/subscriptions.js'
import type { MessageHandler } from './message-handler.js'
import { handles } from './message-handler.js'

/** Handles what clients ask for. */
export interface HandlerParts {
  readonly authentication: Authentication
  readonly subscriptions: Subscriptions
  readonly cancels: DisconnectCancels
}

/** Returns what handles each message. */
export function messageHandlers({ authentication, subscriptions, cancels }: HandlerParts): MessageHandler[] {
  return [
    handles(subscribeOrderbook, request => subscriptions.followBook(request)),
    handles(unsubscribeOrderbook, request => subscriptions.leaveBook(request)),
    handles(subscribeGroup, request => subscriptions.followGroup(request)),
    handles(unsubscribeGroup, request => subscriptions.leaveGroup(request)),
    handles(subscribeUser, request => subscriptions.followUser(request)),
    handles(unsubscribeUser, request => subscriptions.leaveUser(request)),
    handles(authenticate, request => authentication.authenticate(request)),
    handles(cancelOnDisconnect, request => cancels.set(request)),
  ]
}
