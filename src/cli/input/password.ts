import { createInterface } from 'node:readline'
import { Failure, UsageError } from '../exit-errors.js'

const ENTER = /[\r\n]/
const INTERRUPT = '\u0003'
const END_OF_INPUT = '\u0004'
const ERASE = /[\b\u007f]/

/** The keyboard and the screen: `process.stdin` and `process.stderr`, or fakes in tests. */
export interface Keyboard {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  readonly output: { write(text: string): unknown }
}

/**
 * Reads a new password: on a terminal twice and without showing it, otherwise the first line of stdin. Throws
 * UsageError if it is empty or the two differ, Failure on Ctrl+C.
 */
export async function readNewPassword(
  { input, output }: Keyboard = { input: process.stdin, output: process.stderr },
): Promise<string> {
  if (input.isTTY !== true) return checked(await firstLine(input))
  output.write('New password: ')
  const password = checked(await typedLine(input))
  output.write('\nThe same again: ')
  const repeated = await typedLine(input)
  output.write('\n')
  if (repeated !== password) throw new UsageError('the two passwords differ')
  return password
}

function checked(password: string): string {
  if (password !== '') return password
  throw new UsageError('no password: type one, or write it to stdin')
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) return line
  return ''
}

/** Reads what is typed up to Enter; the terminal does not echo it. */
function typedLine(input: Keyboard['input']): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed: string[] = []
    const finish = () => {
      input.off('data', take)
      input.setRawMode?.(false)
      input.pause()
    }
    const take = (text: Buffer | string) => {
      for (const character of String(text)) {
        if (character === INTERRUPT) {
          finish()
          reject(new Failure('interrupted: nothing was changed'))
          return
        }
        if (ENTER.test(character) || character === END_OF_INPUT) {
          finish()
          resolve(typed.join(''))
          return
        }
        typed = ERASE.test(character) ? typed.slice(0, -1) : [...typed, character]
      }
    }
    input.setRawMode?.(true)
    input.on('data', take)
    input.resume()
  })
}
