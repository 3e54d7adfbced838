import type { SettingRows } from './setting-types.js'
import { anyText, SWITCH, wholeNumber } from './setting-types.js'

/** The settings of TLS, logs, Socket.IO and the demo. */
export const SERVING_SETTINGS = {
  'tls-cert': {
    variable: 'RAAY_TLS_CERT',
    fallback: '',
    help: 'certificate chain (PEM): serves HTTPS; reloaded when it changes',
    type: anyText('file'),
  },
  'tls-key': { variable: 'RAAY_TLS_KEY', fallback: '', help: 'its private key (PEM)', type: anyText('file') },
  'tls-redirect-port': {
    variable: 'RAAY_TLS_REDIRECT_PORT',
    fallback: '',
    fallbackShown: 'none',
    help: 'port that redirects HTTP to HTTPS',
    type: wholeNumber(0, 65_535),
  },
  'access-log': {
    variable: 'RAAY_ACCESS_LOG',
    fallback: 'no',
    help: 'log every request: method, path, status, time, address and id',
    type: SWITCH,
    isLive: true,
  },
  'socket-io': {
    variable: 'RAAY_SOCKET_IO',
    fallback: 'no',
    help: 'serve Socket.IO as well, at /socket.io/',
    type: SWITCH,
  },
  demo: {
    variable: 'RAAY_DEMO',
    fallback: 'no',
    help: 'made-up events traded by bots, in a data directory of their own',
    type: SWITCH,
  },
  'demo-seed': {
    variable: 'RAAY_DEMO_SEED',
    fallback: '1',
    help: 'the same seed makes the same history',
    type: wholeNumber(0, 999_999_999),
  },
  'demo-rate': {
    variable: 'RAAY_DEMO_RATE',
    fallback: '5',
    help: 'bot orders per second',
    type: wholeNumber(1, 50),
  },
  'demo-fresh': {
    variable: 'RAAY_DEMO_FRESH',
    fallback: 'no',
    help: 'restart the demo from scratch and delete its trades',
    type: SWITCH,
  },
  'demo-remove': {
    variable: '',
    fallback: 'no',
    help: 'delete the demo and exit',
    type: SWITCH,
  },
} as const satisfies SettingRows
