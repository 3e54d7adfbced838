import { isS3Address } from '../../backup/stores/s3/s3-place.js'
import { isNatsUrl, natsPlace } from '../../replication/jetstream/nats-place.js'
import type { SettingRows } from './setting-types.js'
import { anyText, oneOf, SWITCH, WrongValue, wholeNumber } from './setting-types.js'

/** The settings of the log that holds the journal's lines elsewhere. */
export const REPLICATION_SETTINGS = {
  'replicate-to': {
    variable: 'RAAY_REPLICATE_TO',
    fallback: '',
    fallbackShown: 'nowhere',
    help: 'log that gets each batch: nats://host1,host2,host3, a directory, or s3://bucket/folder',
    type: {
      ...anyText('place'),
      read: text => {
        if (!isNatsUrl(text)) {
          if (isS3Address(text) || !/^[a-z][a-z0-9+]+:/i.test(text)) return text
          throw new WrongValue(
            `is ${text}: give nats://host1,host2,host3, a directory, or s3://bucket/folder`,
          )
        }
        try {
          natsPlace(text)
        } catch (error) {
          throw new WrongValue(`cannot be used: ${(error as Error).message}`)
        }
        return text
      },
    },
  },
  replication: {
    variable: 'RAAY_REPLICATION',
    fallback: 'sync',
    help: 'whether an answer waits for that log (sync) or only for this disk (async)',
    type: oneOf('mode', ['sync', 'async']),
  },
  'replicate-login': {
    variable: 'RAAY_REPLICATE_LOGIN',
    fallback: '',
    help: 'file with the login to NATS: .creds, the seed of an NKey, or user:password',
    type: anyText('file'),
  },
  'replicate-system-login': {
    variable: 'RAAY_REPLICATE_SYSTEM_LOGIN',
    fallback: '',
    help: "file with a login of NATS' system account, which reads whether its servers sync",
    type: anyText('file'),
  },
  'replicate-ca': {
    variable: 'RAAY_REPLICATE_CA',
    fallback: '',
    help: 'file with the certificates of the authority of the NATS servers, in PEM',
    type: anyText('file'),
  },
  'replicate-cert': {
    variable: 'RAAY_REPLICATE_CERT',
    fallback: '',
    help: 'file with the certificate that this exchange shows to NATS, in PEM',
    type: anyText('file'),
  },
  'replicate-key': {
    variable: 'RAAY_REPLICATE_KEY',
    fallback: '',
    help: 'file with the key of that certificate, in PEM',
    type: anyText('file'),
  },
  'replicate-replicas': {
    variable: 'RAAY_REPLICATE_REPLICAS',
    fallback: '3',
    help: 'replicas of a stream that is created; sync needs 3',
    type: wholeNumber(1, 5),
  },
  'replicate-keep': {
    variable: 'RAAY_REPLICATE_KEEP',
    fallback: '7',
    help: 'days for which the log keeps batches that a verified backup has',
    type: wholeNumber(1, 3650),
  },
  'standby-lag': {
    variable: 'RAAY_STANDBY_LAG',
    fallback: '2',
    help: 'seconds without all of the log after which a standby is not ready to be read',
    type: wholeNumber(1, 3600),
  },
  'allow-unsynced-log': {
    variable: 'RAAY_ALLOW_UNSYNCED_LOG',
    fallback: 'no',
    help: 'accept NATS servers that acknowledge before the disk has it: losing power, all may lose orders',
    type: SWITCH,
  },
} as const satisfies SettingRows
