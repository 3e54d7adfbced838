// Lists what a package contains in the form of CycloneDX, from npm's own list of the lock file.
import { execFileSync } from 'node:child_process'

const byRef = (a, b) => (a['bom-ref'] ?? a.ref).localeCompare(b['bom-ref'] ?? b.ref, 'en')

/** Returns npm's list of every package in the lock file, those for development too. */
export function lockedPackages(root) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error']
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }))
}

/**
 * Returns the list of one package as text: the same for each build, so it has no date and no random number.
 *
 * @param locked as `lockedPackages` returns it
 * @param packageJson of the package
 * @param names of the packages that it contains or depends on; what those depend on is listed, too
 */
export function sbomOf(locked, { name, version, description, license }, names) {
  const ref = `${name}@${version}`
  const dependenciesOf = new Map(locked.dependencies.map(({ ref: from, dependsOn }) => [from, dependsOn]))
  const roots = dependenciesOf
    .get(locked.metadata.component['bom-ref'])
    .filter(dependency => names.includes(nameIn(dependency)))
  const missing = names.filter(wanted => !roots.some(found => nameIn(found) === wanted))
  if (missing.length > 0) throw new Error(`package.json does not have ${missing.join(', ')}`)

  const reached = new Set()
  const visit = dependency => {
    if (reached.has(dependency)) return
    reached.add(dependency)
    for (const next of dependenciesOf.get(dependency) ?? []) visit(next)
  }
  for (const dependency of roots) visit(dependency)
  const component = {
    'bom-ref': ref,
    type: 'application',
    name,
    version,
    description,
    purl: `pkg:npm/${ref}`,
    licenses: [{ license: { id: license } }],
  }
  const { timestamp: _, ...metadata } = locked.metadata
  return `${JSON.stringify(
    {
      bomFormat: locked.bomFormat,
      specVersion: locked.specVersion,
      version: 1,
      metadata: { ...metadata, component },
      components: locked.components.filter(found => reached.has(found['bom-ref'])).sort(byRef),
      dependencies: [
        { ref, dependsOn: roots.sort() },
        ...locked.dependencies.filter(({ ref: from }) => reached.has(from)).sort(byRef),
      ],
    },
    undefined,
    2,
  )}\n`
}

/** `@preact/signals` for @preact/signals@2.11.4. */
const nameIn = ref => ref.slice(0, ref.lastIndexOf('@'))
