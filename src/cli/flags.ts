import type { ParseArgsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import { nearestOf } from '../api/did-you-mean.js'
import { ConfigError } from '../server/config.js'
import { wrongFlag } from '../server/wrong-flag.js'

type Options = NonNullable<ParseArgsConfig['options']>

/** What may follow a noun: `raay <noun> <action> <words> --flags`. */
export interface Action {
  /** What comes behind the action, as help writes it. */
  readonly words: string
  /** The flags that not every action of the noun knows; all of them take a text, or stand alone. */
  readonly texts?: readonly string[]
  readonly switches?: readonly string[]
  /** The action reads its words itself; else there are as many as `words` has. */
  readonly isFree?: true
}

/** An action as it was written. */
export interface Written {
  readonly action: string
  readonly words: readonly string[]
  readonly texts: Readonly<Record<string, string | undefined>>
  readonly switches: Readonly<Record<string, true | undefined>>
}

/** Reads the flags of a verb, and the words between them. Throws ConfigError. */
export function readFlags<Flags extends Options>(argv: readonly string[], options: Flags, verb: string) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new ConfigError(`${wrongFlag(error, Object.keys(options))}; raay help ${verb} lists the flags`)
  }
}

/** Reads an action of a noun; every one knows `--url` and `--json`. Throws ConfigError. */
export function readAction(
  noun: string,
  actions: Readonly<Record<string, Action>>,
  argv: readonly string[],
): Written {
  const [action = '', ...rest] = argv
  const known = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (known === undefined) throw new ConfigError(noAction(noun, action, Object.keys(actions)))
  const texts = ['url', ...(known.texts ?? [])].map(name => [name, { type: 'string' as const }])
  const switches = ['json', ...(known.switches ?? [])].map(name => [name, { type: 'boolean' as const }])
  const { values, positionals: words } = readFlags(rest, Object.fromEntries([...texts, ...switches]), noun)
  const expected = known.words === '' ? 0 : known.words.split(' ').length
  if (known.isFree === undefined && words.length !== expected) throw wrongWords(noun, action, known.words)
  return {
    action,
    words,
    texts: values as Written['texts'],
    switches: values as Written['switches'],
  }
}

/** To be thrown where the words of an action are not those that it takes. */
export function wrongWords(noun: string, action: string, words: string): ConfigError {
  return new ConfigError(`write raay ${`${noun} ${action} ${words}`.trim()}; raay help ${noun} says more`)
}

function noAction(noun: string, action: string, actions: readonly string[]): string {
  if (action === '') return `say what to do with ${noun}s; raay help ${noun} lists what there is`
  const nearest = nearestOf(action, actions)
  const hint = nearest === undefined ? '' : `, but there is "${noun} ${nearest}"`
  return `there is no "${noun} ${action}"${hint}; raay help ${noun} lists what there is`
}
