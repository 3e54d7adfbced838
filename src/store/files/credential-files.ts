/** The file of a data directory that holds the operator's key. */
export const OPERATOR_KEY_FILE = 'operator.key'
/** The file of a data directory that holds the key of the addresses and secrets of webhooks. */
export const WEBHOOK_KEY_FILE = 'webhook.key'
