import { signal } from '@preact/signals'
import { exchange } from '../exchange-client.js'

const SHOWN_MAX = 12

/** The categories with the most markets to trade; empty until they are loaded. */
export const categories = signal<readonly string[]>([])

/** Loads the categories; without them the list works all the same. */
export async function loadCategories(): Promise<void> {
  const found = await exchange.fetchCategories().catch(() => undefined)
  if (found !== undefined) categories.value = found.slice(0, SHOWN_MAX).map(({ category }) => category)
}
