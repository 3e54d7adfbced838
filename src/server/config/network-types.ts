import type { BlockList } from 'node:net'
import { isIP } from 'node:net'
import { networksIn } from '../../access/networks.js'
import type { SettingType } from './setting-types.js'
import { listOf, WrongValue } from './setting-types.js'

const HOST_NAME = /^(?!-)[\w-]{1,63}(?:\.[\w-]{1,63})*$/
const HTTP = /^https?:\/\//i

/** The address of a site, without a path. */
export const SITE_URL: SettingType<string> = {
  value: 'url',
  inFile: 'text',
  read: text => {
    const url = HTTP.test(text) && URL.canParse(text) ? new URL(text) : undefined
    const isSite = url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
    if (isSite) return url.origin
    throw new WrongValue(`is ${text}: give an address such as https://raay.example.org`)
  },
}

/** Host names, in lower case. */
export const HOST_NAMES = listOf(text => {
  const name = text.toLowerCase()
  if (HOST_NAME.test(name) || isIP(name) !== 0) return name
  throw new WrongValue(`names ${text}: give host names without a port`)
})

/** Origins of pages. */
export const ORIGINS = listOf(text => {
  if (HTTP.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase()) {
    return text.toLowerCase()
  }
  throw new WrongValue(`names ${text}: give origins such as https://app.example.org`)
})

/** Addresses and networks of proxies. */
export const PROXIES: SettingType<BlockList> = {
  value: 'list',
  inFile: 'list',
  read: text => {
    const proxies = networksIn(text.split(','))
    if (proxies !== undefined) return proxies
    throw new WrongValue(`is ${text}: give addresses or networks such as 10.0.0.7,192.168.0.0/16`)
  },
}
