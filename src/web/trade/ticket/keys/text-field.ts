/** The element that has the focus. */
export interface FocusedElement {
  readonly tagName: string
  readonly type?: string | undefined
  readonly isContentEditable?: boolean
}

/** Inputs that take no text. */
const TEXTLESS: readonly (string | undefined)[] = ['radio', 'checkbox', 'button', 'submit', 'reset']

/** Returns true if an element may use up the keys that are typed in it. */
export function takesText({ tagName, type, isContentEditable = false }: FocusedElement): boolean {
  if (isContentEditable || tagName === 'TEXTAREA' || tagName === 'SELECT') return true
  return tagName === 'INPUT' && !TEXTLESS.includes(type)
}
