import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { TlsConfig } from '../config/network-config.js'

/** The two files, in PEM: the certificate, followed by those of its issuers, and its key. */
export type CertificateFiles = Pick<TlsConfig, 'certFile' | 'keyFile'>

export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
  /** The names and addresses that it is for, as OpenSSL writes them. */
  readonly names: string
  /** In milliseconds since 1970. */
  readonly validFrom: number
  readonly validTo: number
}

export const TLS_VERSION_MIN = 'TLSv1.2'

/** Reads a certificate and its key. Throws with a message for the operator if they cannot be used. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = readOrExplain('--tls-cert', certFile)
  const key = readOrExplain('--tls-key', keyFile)
  try {
    createSecureContext({ cert, key, minVersion: TLS_VERSION_MIN })
    const { subject, subjectAltName, validFrom, validTo } = new X509Certificate(cert)
    const names = subjectAltName ?? subject
    return { cert, key, names, validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) }
  } catch (error) {
    throw new Error(`${certFile} and ${keyFile} are not a certificate and its key: ${reasonIn(error)}`)
  }
}

/**
 * Returns a text that changes with either file, also where they are replaced by links, or where the system no
 * longer shows them: a tool that renews certificates may close their directory.
 */
export function stampOf({ certFile, keyFile }: CertificateFiles): string {
  return [certFile, keyFile].map(stampOfFile).join(', ')
}

function stampOfFile(path: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

function readOrExplain(flag: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`${flag} ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Returns OpenSSL's reason, such as `key values mismatch`. */
function reasonIn(error: unknown): string {
  const { reason, message } = error as Error & { readonly reason?: string }
  return reason ?? message
}
