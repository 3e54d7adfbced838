import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Picture, SiteFacts } from '../../http/pages/site-facts.js'
import { ConfigError } from '../config/setting-values.js'
import type { SiteConfig } from '../config/site-config.js'
import type { LiveConfig } from '../live-config.js'

const LOGO_BYTES_MAX = 256 * 1024

/** The first bytes of the kinds of pictures, in hexadecimal. */
const SIGNATURES: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  // RIFF, the length, WEBP.
  ['image/webp', /^52494646.{8}57454250/],
]

/**
 * Returns a function that gives the name and the look of the pages. A reload changes them; one whose logo
 * cannot be read is refused whole. Throws ConfigError at first.
 */
export function liveSite(live: LiveConfig): () => SiteFacts {
  let facts = siteFacts(live.current.site)
  live.onCheck(({ site }) => {
    const next = site === live.current.site ? facts : siteFacts(site)
    return () => {
      facts = next
    }
  })
  return () => facts
}

/** Returns the facts of a site, with the picture of its logo read. Throws ConfigError if it is not one. */
function siteFacts({ logo, ...config }: SiteConfig): SiteFacts {
  return { ...config, logo: logo === undefined || 'emoji' in logo ? logo : readPicture(logo.file) }
}

function readPicture(path: string): Picture {
  const bytes = readBounded(path)
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const type = SIGNATURES.find(([, signature]) => signature.test(start))?.[0]
  if (type !== undefined) return { type, bytes }
  throw new ConfigError(`--site-logo ${path} is no picture: give a PNG, JPEG or WebP file`)
}

function readBounded(path: string): Uint8Array<ArrayBuffer> {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    if (size > LOGO_BYTES_MAX) {
      throw new ConfigError(`--site-logo ${path} has ${size} bytes: give one of at most ${LOGO_BYTES_MAX}`)
    }
    const bytes = new Uint8Array(size)
    return bytes.subarray(0, readSync(file, bytes))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`--site-logo ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
