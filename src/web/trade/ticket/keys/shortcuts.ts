import type { FocusedElement } from './text-field.js'
import { takesText } from './text-field.js'

/** The actions of the keys on a market page; a digit begins the quantity. */
export type ShortcutName =
  | 'buy'
  | 'sell'
  | 'yes'
  | 'no'
  | 'market'
  | 'limit'
  | 'rupees'
  | 'contracts'
  | 'price'
  | 'quantity'
  | 'send'
  | 'exit'
  | 'help'

/** The keys, in the order of their list. */
export const SHORTCUT_KEYS: Readonly<Record<ShortcutName, string>> = {
  buy: 'b',
  sell: 's',
  yes: 'y',
  no: 'n',
  market: 'm',
  limit: 'l',
  rupees: 'r',
  contracts: 'c',
  price: 'p',
  quantity: 'q',
  send: 'Enter',
  exit: 'x',
  help: '?',
}

/** The keys beside them in the list; they work in fields. */
export const FIELD_KEYS = { arrows: ['↑', '↓'], escape: 'Escape' } as const

/** The part of a keyboard event that decides. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly repeat: boolean
  readonly isComposing: boolean
  /** True once something else has dealt with the key. */
  readonly defaultPrevented: boolean
}

/** Elements that Enter presses. */
const PRESSED_BY_ENTER: readonly string[] = ['A', 'BUTTON', 'SUMMARY', 'INPUT']
const NAMES = new Map(Object.entries(SHORTCUT_KEYS).map(([name, key]) => [key, name as ShortcutName]))

/** Returns what a key does; nothing while someone types, and nothing that belongs to the browser. */
export function shortcutOf(
  press: KeyPress,
  focused: FocusedElement | null,
): ShortcutName | 'digit' | undefined {
  const { key, ctrlKey, metaKey, altKey, repeat, isComposing, defaultPrevented } = press
  if (ctrlKey || metaKey || altKey || repeat || isComposing || defaultPrevented) return undefined
  if (focused !== null && takesText(focused)) return undefined
  if (/^[0-9०-९]$/.test(key)) return 'digit'
  if (key === 'Enter' && focused !== null && PRESSED_BY_ENTER.includes(focused.tagName)) return undefined
  return NAMES.get(key.length === 1 ? key.toLowerCase() : key)
}
