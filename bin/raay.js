#!/usr/bin/env node
// Starts the built command line. The syntax is old, so that an old Node reaches the message about itself.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const path = name => fileURLToPath(new URL(`../${name}`, import.meta.url))
const isCheckout = existsSync(path('tsconfig.json'))
const modules = path('dist/src/cli/raay.js')
const bundle = path('dist/bundle/raay.js')
const compilerNotes = path('dist/.tsbuildinfo')
const bundlePages = path('dist/bundle/pages/trade.html')
const pages = isCheckout ? path('dist/src/http/pages/pages/trade.html') : bundlePages

/** Whether the bundle is there and no compilation is newer. It starts in half the time of the modules. */
function hasBundle() {
  if (!existsSync(bundle) || !existsSync(bundlePages)) return false
  return !existsSync(compilerNotes) || statSync(compilerNotes).mtimeMs <= statSync(bundle).mtimeMs
}

function stop(message) {
  process.stderr.write(`raay: ${message}\n`)
  process.exit(1)
}

/** Whether a version such as 20.18.1 fits a range such as "^20.18 || >=22.14". */
function fits(version, ranges) {
  const [major, minor] = version.split('.').map(Number)
  return ranges.split('||').some(range => {
    const [, sign, wantedMajor, wantedMinor] = /(\^|>=)(\d+)\.(\d+)/.exec(range)
    if (major === Number(wantedMajor)) return minor >= Number(wantedMinor)
    return sign === '>=' && major > Number(wantedMajor)
  })
}

const needed = JSON.parse(readFileSync(path('package.json'), 'utf8')).engines.node
if (!fits(process.versions.node, needed)) {
  stop(
    `this is Node ${process.versions.node}, and Raay needs ${needed}. Install a newer Node and start again.`,
  )
}

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: ['ignore', 2, 2] })
  if (status !== 0) stop('the build failed, for the reasons above.')
}

// A published package brings its build along; a checkout makes its own when it is missing.
if (!existsSync(isCheckout ? modules : bundle) || !existsSync(pages)) {
  const compiler = path('node_modules/typescript/bin/tsc')
  if (!isCheckout) stop('the build is missing from this package. Install it again.')
  if (!existsSync(compiler))
    stop('there is no build yet, and no compiler to make it. Run `npm ci`, then start again.')

  process.stderr.write('raay: building, once\n')
  // The compiler's notes would have it skip files that it believes are there.
  rmSync(compilerNotes, { force: true })
  run(compiler, '-p', path('tsconfig.json'), '--noEmitOnError')
  run(path('bin/build-pages.js'))
  run(path('bin/build-bundle.js'))
}

import(pathToFileURL(isCheckout && !hasBundle() ? modules : bundle).href)
