/** The values of one exchange in its files. Every text is checked: it can stand in any of them unquoted. */
export interface Deployment {
  readonly version: string
  /** The absolute path of the data directory. */
  readonly data: string
  readonly port: number
  readonly publicUrl: URL
  readonly user: string
  /** The command that runs Raay: the absolute path of one program, or of Node and a script. */
  readonly program: string
  readonly image: string
  /** The addresses of standbys, as `host:port`. */
  readonly standbys: readonly string[]
  /** Absolute paths of the proxy's certificate and key, if they are not where certbot puts them. */
  readonly certificate: CertificatePaths | undefined
}

export interface CertificatePaths {
  readonly certFile: string
  readonly keyFile: string
}

/** Returns the first lines of a file, which say how it is used and by which version it was written. */
export function heading({ version }: Deployment, ...lines: readonly string[]): string {
  const all = [...lines, `Written by raay init, version ${version}.`]
  return all.map(line => (line === '' ? '#\n' : `# ${line}\n`)).join('')
}
