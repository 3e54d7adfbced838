import { Option } from 'commander'

export type { Option } from 'commander'

/** Makes an option, such as `--limit <n>`; its default is shown in the help. */
export function option(flags: string, description: string, fallback?: string): Option {
  const made = new Option(flags, description)
  return fallback === undefined ? made : made.default(fallback, fallback)
}

/** Makes an option that takes one of a few words, in either case. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  const made = new Option(flags, description).choices(values)
  const check = made.parseArg
  return made.argParser((text: string, previous: string | undefined) => {
    const value = values.find(known => known.toLowerCase() === text.toLowerCase())
    return check === undefined ? value : check(value ?? text, previous)
  })
}

export const jsonOption = () => option('--json', 'print JSON instead of text')
