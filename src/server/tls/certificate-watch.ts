import type { Server } from 'node:https'
import type { Logger } from 'pino'
import { looseMode } from '../../store/files/private-files.js'
import type { Certificate, CertificateFiles } from './certificate.js'
import { readCertificate, stampOf, TLS_VERSION_MIN } from './certificate.js'

/** Certificates are renewed days before they expire. */
const CHECK_MS = 10_000

/** The certificate in use. A changed pair of files replaces it; a bad pair never does. */
export class CertificateWatch {
  readonly #files: CertificateFiles
  readonly #log: Logger
  #stamp: string
  #current: Certificate

  /** Throws with a message for the operator if there is no usable certificate to begin with. */
  constructor(files: CertificateFiles, log: Logger) {
    this.#files = files
    this.#log = log
    this.#stamp = stampOf(files)
    this.#current = readCertificate(files)
    const mode = looseMode(files.keyFile)
    if (mode !== undefined) log.warn(`other users may read ${files.keyFile} (${mode}): chmod 600 it`)
  }

  get current(): Certificate {
    return this.#current
  }

  /** Checks the files regularly until the server closes; new connections use the new certificate. */
  follow(server: Server): void {
    const timer = setInterval(() => this.check(server), CHECK_MS).unref()
    server.once('close', () => clearInterval(timer))
  }

  /**
   * Reads the files if they have changed. Between the writes of two files they do not match: the next check
   * reads them again, because the second write changes them too.
   */
  check(server: Server): void {
    const stamp = stampOf(this.#files)
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    try {
      const changed = readCertificate(this.#files)
      const { cert, key, names, validTo } = changed
      server.setSecureContext({ cert, key, minVersion: TLS_VERSION_MIN })
      this.#current = changed
      this.#log.info(`new certificate for ${names}, valid until ${new Date(validTo).toISOString()}`)
    } catch (error) {
      this.#log.error({ err: error }, 'the changed certificate is not usable: the one before stays in use')
    }
  }
}
