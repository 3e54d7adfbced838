import { looseMode } from '../../store/files/private-files.js'
import type { Certificate, CertificateFiles } from '../tls/certificate.js'
import { readCertificate } from '../tls/certificate.js'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

const NAME = 'tls'
const DAY_MS = 86_400_000
/** Renewals by ACME happen a month before the end. */
const DAYS_LEFT_MIN = 14

/** Checks that a certificate and its key can be used, and for how long. */
export function certificateCheck(files: CertificateFiles, now: number): Check {
  let certificate: Certificate
  try {
    certificate = readCertificate(files)
  } catch (error) {
    return fail(NAME, (error as Error).message, 'name the PEM files of one certificate and its key')
  }
  const { names, validFrom, validTo } = certificate
  if (now < validFrom) return fail(NAME, `for ${names}, valid from ${dayOf(validFrom)}`, 'check the clock')
  if (now >= validTo) return fail(NAME, `for ${names}, expired on ${dayOf(validTo)}`, 'renew it')
  const days = Math.floor((validTo - now) / DAY_MS)
  const found = `for ${names}, valid until ${dayOf(validTo)} (${days} days)`
  if (days < DAYS_LEFT_MIN)
    return warn(NAME, found, 'renew it: a running exchange picks up the new one automatically')
  const mode = looseMode(files.keyFile)
  if (mode === undefined) return ok(NAME, found)
  return warn(NAME, `other users may read ${files.keyFile} (${mode})`, `chmod 600 ${files.keyFile}`)
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
