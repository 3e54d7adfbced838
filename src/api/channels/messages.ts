import { LIMITS } from '../limits.js'
import type { Message } from './message.js'
import type { OrderMessage } from './order-message.js'
import { ORDER_MESSAGES } from './order-messages.js'
import { message } from './message.js'
import {
  eventCodeField,
  groupCodeField,
  listField,
  names,
  object,
  optionalField,
  textField,
  userIdNameField,
} from './message-data.js'
import { authenticated, cancelOnDisconnectSet, subscribed, unsubscribed } from './replies.js'

/** All requests of clients over WebSocket and Socket.IO. Their handlers are bound in `ws/handlers.ts`. */

export const subscribeOrderbook = message({
  verb: 'subscribe_orderbook',
  needs: 'markets',
  cost: { points: 1 },
  data: names(
    'event codes',
    eventCodeField,
    'The last seq you received: replays later messages, if still in memory',
  ),
  answer: subscribed,
  refuses: ['event_not_found', 'channels_full', 'subscriptions_full'],
  says: 'Subscribe to an event',
  sample: '1000001',
})

export const unsubscribeOrderbook = message({
  verb: 'unsubscribe_orderbook',
  // A refusal would say which events there are.
  needs: 'markets',
  cost: { points: 1, isNeverRefused: true },
  data: names('event codes', eventCodeField),
  answer: unsubscribed,
  refuses: ['event_not_found'],
  says: 'Unsubscribe from an event',
  sample: '1000001',
})

export const subscribeGroup = message({
  verb: 'subscribe_group',
  needs: 'markets',
  cost: { points: 1 },
  data: names(
    'group codes',
    groupCodeField,
    'The last seq you received: sends the outcomes that have changed since, if that is still known',
  ),
  answer: subscribed,
  refuses: ['group_not_found', 'channels_full', 'subscriptions_full'],
  says: 'Subscribe to the prices of all outcomes of a group',
  sample: '1000002',
})

export const unsubscribeGroup = message({
  verb: 'unsubscribe_group',
  needs: 'markets',
  cost: { points: 1, isNeverRefused: true },
  data: names('group codes', groupCodeField),
  answer: unsubscribed,
  refuses: ['group_not_found'],
  says: 'Unsubscribe from a group',
  sample: '1000002',
})

export const subscribeUser = message({
  verb: 'subscribe_user',
  needs: 'read',
  cost: { points: 1 },
  data: names('user ids', userIdNameField, 'The last user_seq you received: replays all later messages'),
  userOf: name => name,
  answer: subscribed,
  refuses: ['channels_full', 'subscriptions_full'],
  says: 'Subscribe to the orders and balance of a user',
  sample: 'asha',
})

export const unsubscribeUser = message({
  verb: 'unsubscribe_user',
  needs: 'visit',
  cost: { points: 1, isNeverRefused: true },
  data: names('user ids', userIdNameField),
  answer: unsubscribed,
  refuses: [],
  says: 'Unsubscribe from a user',
  sample: 'asha',
})

export const authenticate = message({
  verb: 'authenticate',
  needs: 'visit',
  // Handling costs as much as a small snapshot: a signature may have to be verified.
  cost: { points: 1, handling: 10 },
  data: object({
    token: textField(
      LIMITS.tokenLengthMax,
      "A session, an API key, the operator's key or a token of the identity provider",
    ),
  }),
  answer: authenticated,
  refuses: [
    'token_wrong',
    'token_expired',
    'address_refused',
    'account_disabled',
    'socket_taken',
    'sockets_full',
    'keys_unknown',
    'sign_in_closed',
    'busy',
    'internal',
  ],
  says: 'Authenticate the connection, or extend its time',
  sample: { token: 'rs_q0Zr3t6w9zCfJNcRfUjXn2r5u8xADGKaPdSgVkYp3s' },
  isRenewal: true,
})

export const cancelOnDisconnect = message({
  verb: 'cancel_on_disconnect',
  needs: 'trade',
  cost: { points: 1 },
  data: object({
    userid: optionalField(userIdNameField, 'By default the caller; required in open mode'),
    events: optionalField(
      listField(eventCodeField, 'event codes'),
      'Event codes; all events if left out, none to cancel nothing any more',
    ),
  }),
  userOf: ({ userid }) => userid,
  answer: cancelOnDisconnectSet,
  refuses: ['event_not_found'],
  says: 'Choose the orders to cancel when the connection ends',
  sample: { userid: 'asha', events: ['1000001'] },
})

/** A request of clients. */
export type AnyMessage = Message | OrderMessage

export const MESSAGES: readonly AnyMessage[] = [
  subscribeOrderbook,
  unsubscribeOrderbook,
  subscribeGroup,
  unsubscribeGroup,
  subscribeUser,
  unsubscribeUser,
  authenticate,
  cancelOnDisconnect,
  ...ORDER_MESSAGES,
]
