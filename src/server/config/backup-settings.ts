import { SITE_URL } from './network-types.js'
import type { SettingRows, SettingType } from './setting-types.js'
import { anyText, listOf, WrongValue, wholeNumber } from './setting-types.js'
import type { KeepRules } from '../../backup/keep-rules.js'
import { readKeepRules } from '../../backup/keep-rules.js'

/** The rules for which backups are kept. */
const KEEP_RULES: SettingType<KeepRules> = {
  value: 'rules',
  inFile: 'text',
  read: text => {
    const rules = readKeepRules(text)
    if (rules !== undefined) return rules
    throw new WrongValue(`is ${text}: give rules such as hourly=24,daily=7,weekly=4,monthly=12`)
  },
}

const REGION = /^[a-z0-9-]{1,40}$/i
/** Ids and secrets are signed with, or sent in headers: letters, digits and signs. */
const CREDENTIAL = /^[\x21-\x7e]{3,256}$/
const RECIPIENT = /^age1[0-9a-z]{58}$/

const RECIPIENTS = listOf(text => {
  if (RECIPIENT.test(text)) return text
  throw new WrongValue(`names ${text}: give public keys of age, such as raay backup key prints`)
})

/** A part of the credentials of a store. It is not repeated in messages, which end up in logs. */
const credential = (value: string): SettingType<string> => ({
  value,
  inFile: 'text',
  read: text => {
    if (CREDENTIAL.test(text)) return text
    throw new WrongValue('has characters that no key of a store has')
  },
})

/** The settings of backups. */
export const BACKUP_SETTINGS = {
  'backup-every': {
    variable: 'RAAY_BACKUP_EVERY',
    fallback: '',
    fallbackShown: '24; 0 in a demo',
    help: 'time between scheduled backups; 0 turns them off',
    type: wholeNumber(0, 500, 'hours'),
    isLive: true,
  },
  'backup-keep': {
    variable: 'RAAY_BACKUP_KEEP',
    fallback: 'daily=3,weekly=2',
    help: 'scheduled backups to keep: the newest of each of the last hours, days, weeks or months',
    type: KEEP_RULES,
    isLive: true,
  },
  'backup-to': {
    variable: 'RAAY_BACKUP_TO',
    fallback: '',
    fallbackShown: 'backups, in the data directory',
    help: 'directory for backups, or s3://bucket/folder',
    type: anyText('place'),
  },
  'backup-s3-endpoint': {
    variable: 'RAAY_BACKUP_S3_ENDPOINT',
    fallback: '',
    fallbackShown: 'that of AWS in the region',
    help: 'address of an S3-compatible store, such as https://s3.example.org',
    type: SITE_URL,
  },
  'backup-s3-region': {
    variable: 'RAAY_BACKUP_S3_REGION',
    fallback: '',
    fallbackShown: 'us-east-1 with an endpoint',
    help: 'region of the bucket',
    type: {
      ...anyText('name'),
      read: text => {
        if (REGION.test(text)) return text
        throw new WrongValue(`is ${text}: give a region such as eu-central-1`)
      },
    },
  },
  'backup-s3-key-id': {
    variable: 'RAAY_BACKUP_S3_KEY_ID',
    fallback: '',
    help: 'id of the key to that store',
    type: credential('id'),
    isSecret: true,
    isOptionless: true,
  },
  'backup-s3-secret': {
    variable: 'RAAY_BACKUP_S3_SECRET',
    fallback: '',
    help: 'secret of the key to that store',
    type: credential('secret'),
    isSecret: true,
    isOptionless: true,
  },
  'backup-recipient': {
    variable: 'RAAY_BACKUP_RECIPIENT',
    fallback: '',
    help: 'public keys of age to which backups are encrypted, separated by commas',
    type: RECIPIENTS,
  },
} as const satisfies SettingRows
