import type { SettingRows } from './setting-types.js'
import { oneOf } from './setting-types.js'
import { SITE_COLOR, SITE_CONTACT, SITE_LOGO, SITE_NAME, TIME_ZONE } from './site-types.js'

/** The settings of what the pages look like, and of the language and time zone that they show. */
export const SITE_SETTINGS = {
  'site-name': {
    variable: 'RAAY_SITE_NAME',
    fallback: 'Raay',
    help: 'name of the exchange on its pages, in their titles and as an app',
    type: SITE_NAME,
    isLive: true,
  },
  'site-color': {
    variable: 'RAAY_SITE_COLOR',
    fallback: '#1b4fd0',
    help: 'colour of its mark and links, dark enough to read on white',
    type: SITE_COLOR,
    isLive: true,
  },
  'site-logo': {
    variable: 'RAAY_SITE_LOGO',
    fallback: '',
    fallbackShown: "Raay's mark in the colour of the site",
    help: 'an emoji, or a square picture: a PNG, JPEG or WebP file of at most 256 KiB',
    type: SITE_LOGO,
    isLive: true,
  },
  'site-contact': {
    variable: 'RAAY_SITE_CONTACT',
    fallback: '',
    help: 'how users without money reach the operator, such as an e-mail address',
    type: SITE_CONTACT,
    isLive: true,
  },
  'time-zone': {
    variable: 'RAAY_TIME_ZONE',
    fallback: 'Asia/Kolkata',
    help: 'time zone of all times on the pages, such as Asia/Kolkata',
    type: TIME_ZONE,
    isLive: true,
  },
  language: {
    variable: 'RAAY_LANGUAGE',
    fallback: 'en',
    help: 'en or hi, for browsers that prefer neither English nor Hindi',
    type: oneOf('language', ['en', 'hi']),
    isLive: true,
  },
} as const satisfies SettingRows
