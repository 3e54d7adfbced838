// Checks that a tag can be released, and prints what the changelog says about it.
// usage: node bin/check-release.js v0.2.0
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const read = path => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
const [tag = ''] = process.argv.slice(2)

/** Returns why this tag cannot be released, or undefined. */
function fault() {
  if (!/^v\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(tag)) return `${tag || 'nothing'} is no tag such as v0.2.0`
  const version = tag.slice(1)
  for (const file of ['package.json', 'package-lock.json']) {
    const found = JSON.parse(read(file)).version
    if (found !== version) return `${file} has the version ${found}, the tag ${version}; run npm version`
  }
  return sectionOf(version) === undefined ? `the changelog has no heading "## ${version} (date)"` : undefined
}

/** Returns a version's part of the changelog, without its heading. */
function sectionOf(version) {
  const sections = read('src/docs/guides/changelog.md').split(/^## /m)
  const dated = /^\d{4}-\d{2}-\d{2}$/
  const section = sections.find(text => {
    const [, name, date] = /^(\S+) \((\S+)\)\n/.exec(text) ?? []
    return name === version && dated.test(date)
  })
  return section?.slice(section.indexOf('\n')).trim()
}

const why = fault()
if (why === undefined) process.stdout.write(`${sectionOf(tag.slice(1))}\n`)
else {
  process.stderr.write(`raay: ${why}\n`)
  process.exitCode = 1
}
