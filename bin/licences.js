// Collects the licences of npm packages, which must be shipped with the code that is bundled from them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the packages that these inputs of a bundle (paths below the root) come from, in order. */
export function packagesOf(inputs) {
  const names = inputs.map(path => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path))
  const directories = names.filter(found => found !== null).map(([directory]) => directory.slice(0, -1))
  return [...new Set(directories)].sort()
}

/** Returns the licences of packages, each with the package's name and version above it. */
export function licencesOf(root, packages) {
  return packages
    .map(directory => {
      const path = join(root, directory)
      const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
      return `${name} ${version}\n\n${licenceIn(path, name)}\n`
    })
    .join('\n\n')
}

/** Reads a package's licence: a file of that name, or the end of its README. */
function licenceIn(path, name) {
  const files = readdirSync(path)
  const file = files.find(entry => /^licen[cs]e(?:[.-](?:md|txt|mit))?$/i.test(entry))
  if (file !== undefined) return readFileSync(join(path, file), 'utf8').trim()
  const readme = files.find(entry => /^readme\.md$/i.test(entry))
  const text = readme === undefined ? '' : readFileSync(join(path, readme), 'utf8')
  const [, section] = /^#+ licen[cs]e\s*$(?<text>[\s\S]+)/im.exec(text) ?? []
  if (section === undefined) throw new Error(`${name} has no licence in its package`)
  return section.trim()
}
