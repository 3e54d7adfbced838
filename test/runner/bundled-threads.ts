import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Piscina } from 'piscina'

/**
 * Has the threads of a test's exchange run the scripts of the bundle, as those of a packaged one do: they load
 * in half the time of the single modules, and each server of a test starts five. To be imported before any
 * module of the exchange. Without a bundle, or with one older than the modules, the modules stay.
 */
const BUNDLE = new URL('../../bundle/', import.meta.url)
const COMPILER_NOTES = fileURLToPath(new URL('../../.tsbuildinfo', import.meta.url))
const PROGRAM = fileURLToPath(new URL('raay.js', BUNDLE))

const isCurrent =
  existsSync(PROGRAM) &&
  existsSync(COMPILER_NOTES) &&
  statSync(COMPILER_NOTES).mtimeMs <= statSync(PROGRAM).mtimeMs

if (isCurrent) {
  // What ES modules import is read from this object when the first of them does.
  const exported = createRequire(import.meta.url)('piscina') as { readonly Piscina: typeof Piscina }
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
