import { PROXIES } from './network-types.js'
import type { SettingRows } from './setting-types.js'
import { anyText, oneOf, RUPEES, wholeNumber } from './setting-types.js'

/** The settings of the exchange, its files and its bounds. */
export const EXCHANGE_SETTINGS = {
  port: {
    variable: 'RAAY_PORT',
    fallback: '3000',
    help: 'port to listen on; 0 takes a free one',
    type: wholeNumber(0, 65_535),
  },
  host: {
    variable: 'RAAY_HOST',
    fallback: '127.0.0.1',
    help: 'address to listen on',
    type: anyText('address'),
  },
  data: {
    variable: 'RAAY_DATA',
    fallback: 'data',
    help: 'directory of the data file',
    type: anyText('path'),
  },
  config: {
    variable: 'RAAY_CONFIG',
    fallback: '',
    fallbackShown: 'config.json in the data directory',
    type: anyText('file'),
    help: 'file of settings, in JSON; read again on SIGHUP',
  },
  'env-file': {
    variable: '',
    fallback: '',
    type: anyText('file'),
    help: 'file of variables, as in NAME=value; those already set win',
  },
  shards: {
    variable: 'RAAY_SHARDS',
    fallback: '',
    fallbackShown: 'cores − 1, at least 1',
    help: 'matching threads',
    type: wholeNumber(1, 64),
  },
  'starting-balance': {
    variable: 'RAAY_STARTING_BALANCE',
    fallback: '',
    fallbackShown: '1000000 in open mode, else 0',
    help: 'money of a new user',
    type: RUPEES,
  },
  follower: {
    variable: 'RAAY_FOLLOWER',
    fallback: 'told',
    help: 'how tables get their rows: told by the shards, or verify: decided a second time and compared',
    type: oneOf('how', ['told', 'verify']),
  },
  'verify-every': {
    variable: 'RAAY_VERIFY_EVERY',
    fallback: '24',
    help: 'time between background verifications of the whole file; 0 turns them off',
    type: wholeNumber(0, 500, 'hours'),
    isLive: true,
  },
  'queue-length-max': {
    variable: 'RAAY_QUEUE_LENGTH_MAX',
    fallback: '8192',
    help: 'orders that may wait at a shard; further ones get 503',
    type: wholeNumber(1, 1_000_000),
  },
  'connections-max': {
    variable: 'RAAY_CONNECTIONS_MAX',
    fallback: '20000',
    help: 'open connections; further ones get 503',
    type: wholeNumber(1, 1_000_000),
    isLive: true,
  },
  'connections-per-address-max': {
    variable: 'RAAY_CONNECTIONS_PER_ADDRESS_MAX',
    fallback: '1000',
    help: 'open connections from one address; trusted proxies are exempt',
    type: wholeNumber(1, 1_000_000),
    isLive: true,
  },
  'trusted-proxy': {
    variable: 'RAAY_TRUSTED_PROXY',
    fallback: '',
    fallbackShown: 'this machine',
    help: 'addresses or networks of reverse proxies, separated by commas',
    type: PROXIES,
    isLive: true,
  },
  'webhook-allow': {
    variable: 'RAAY_WEBHOOK_ALLOW',
    fallback: '',
    fallbackShown: 'none',
    help: 'networks of your own that webhooks may reach, over http and any port too, separated by commas',
    type: PROXIES,
    isLive: true,
  },
  'events-max': {
    variable: 'RAAY_EVENTS_MAX',
    fallback: '20000',
    help: 'events neither settled nor voided; further ones get 503',
    type: wholeNumber(1, 8_999_999),
    isLive: true,
  },
} as const satisfies SettingRows

/** The settings of house quotes. */
export const HOUSE_SETTINGS = {
  'house-liquidity': {
    variable: 'RAAY_HOUSE_LIQUIDITY',
    fallback: '0',
    help: 'budget of the house quotes that each new event or group gets; 0: none',
    type: RUPEES,
  },
  'house-liquidity-max': {
    variable: 'RAAY_HOUSE_LIQUIDITY_MAX',
    fallback: '',
    fallbackShown: 'no limit',
    help: 'the most that all house quotes together may be given',
    type: RUPEES,
  },
} as const satisfies SettingRows
