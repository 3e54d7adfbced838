import { existsSync, statSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'
import type { Piscina } from 'piscina'

/**
 * Has the threads of a test's exchange run the scripts of the bundle, as those of a packaged one do: they load
 * in half the time of the single modules, and each server of a test starts five. To be imported before any
 * module of the exchange. Without a bundle, or with one older than the modules, the modules stay.
 */
const BUNDLE = new URL('../../bundle/', import.meta.url)
const SOURCES = new URL('../../src/', import.meta.url).href
const COMPILER_NOTES = fileURLToPath(new URL('../../.tsbuildinfo', import.meta.url))
const PROGRAM = fileURLToPath(new URL('raay.js', BUNDLE))

const isCurrent =
  existsSync(PROGRAM) &&
  existsSync(COMPILER_NOTES) &&
  statSync(COMPILER_NOTES).mtimeMs <= statSync(PROGRAM).mtimeMs

if (isCurrent) {
  // What ES modules import is read from these objects: of a package when the first of them does, of Node when told.
  const require = createRequire(import.meta.url)
  const threads = require('node:worker_threads') as { Worker: typeof import('node:worker_threads').Worker }
  class BundledWorker extends threads.Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      const isOurs = script instanceof URL && script.href.startsWith(SOURCES)
      super(isOurs ? new URL(bundled(script.href)) : script, options)
    }
  }
  threads.Worker = BundledWorker
  syncBuiltinESMExports()

  const exported = require('piscina') as { readonly Piscina: typeof Piscina }
  class BundledPiscina extends exported.Piscina {
    constructor({ filename, ...others }: ConstructorParameters<typeof Piscina>[0] = {}) {
      super({ ...others, filename: bundled(String(filename)) })
    }
  }
  Object.defineProperty(exported, 'Piscina', { value: BundledPiscina })
}

function bundled(script: string): string {
  const { href } = new URL(basename(script), BUNDLE)
  return existsSync(fileURLToPath(href)) ? href : script
}
