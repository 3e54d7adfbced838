// Lists what a package contains in the form of CycloneDX, from npm's own list of the lock file.
import { execFileSync } from 'node:child_process'

/** The line above each licence: a package, whose name has no capitals, and its version. */
const PACKAGE_LINE = /^((?:@[a-z\d._-]+\/)?[a-z\d._-]+) (\d+\.\d+\.\d+\S*)$/gm

/** Returns npm's list of every package in the lock file, those for development too. */
export function lockedPackages(root) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error']
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }))
}

/**
 * Returns the list of one package as text: what is bundled into it, and what it installs in the version of the
 * lock file. It has no date and no random number, so it is the same for each build.
 *
 * @param locked as `lockedPackages` returns it
 * @param packageJson of the package
 * @param licences of what is bundled, each below its name and version
 */
export function sbomOf(locked, packageJson, licences) {
  const { name, version, description, license, dependencies = {} } = packageJson
  const own = `${name}@${version}`
  const graph = new Map(locked.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const bundled = [...licences.matchAll(PACKAGE_LINE)].map(([, found, number]) => `${found}@${number}`)
  const required = graph.get(locked.metadata.component['bom-ref'])
  const installed = Object.keys(dependencies).map(wanted => required.find(ref => nameIn(ref) === wanted))
  const listed = new Set(bundled)
  const add = ref => {
    if (listed.has(ref)) return
    listed.add(ref)
    for (const next of graph.get(ref) ?? []) add(next)
  }
  for (const ref of installed) add(ref)

  const component = {
    'bom-ref': own,
    type: 'application',
    name,
    version,
    description,
    purl: `pkg:npm/${own}`,
    licenses: [{ license: { id: license } }],
  }
  const { timestamp: _, ...metadata } = locked.metadata
  const components = locked.components.filter(found => listed.has(found['bom-ref']))
  const known = new Set(components.map(found => found['bom-ref']))
  const unknown = [...listed].filter(ref => !known.has(ref))
  if (unknown.length > 0) throw new Error(`the lock file does not have ${unknown.join(', ')}`)
  const document = {
    bomFormat: locked.bomFormat,
    specVersion: locked.specVersion,
    version: 1,
    metadata: { ...metadata, component },
    components: components.sort((a, b) => compared(a['bom-ref'], b['bom-ref'])),
    dependencies: [
      { ref: own, dependsOn: [...new Set([...bundled, ...installed])].sort() },
      ...[...known].sort().map(ref => ({ ref, dependsOn: graph.get(ref).filter(next => known.has(next)) })),
    ],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

/** `@preact/signals` for @preact/signals@2.11.4. */
const nameIn = ref => ref.slice(0, ref.lastIndexOf('@'))
const compared = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
