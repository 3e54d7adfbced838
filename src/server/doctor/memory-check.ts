import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { Check } from './check.js'
import { ok, warn } from './check.js'
import { sizeText } from '../../api/size-text.js'

const MEGABYTE = 1024 * 1024
/**
 * Measured on Node 20, as resident memory: 162 MB with nothing; an account's share with 40,000 of them. An
 * open order of before the start takes 79 to 88 bytes until its user does something, then 360 to 390, as a
 * new one does, and in the book 44 in both cases.
 */
const BYTES = { idle: 162 * MEGABYTE, account: 1000, restedOrder: 140, openOrder: 450 }
/** The rest is for matching threads, readers and answers. */
const SHARE_MAX = 0.7

/** The accounts and orders that an exchange keeps in memory. */
export interface Load {
  readonly accounts: number
  readonly openOrders: number
}

/** The memory that this process may use. */
export interface Memory {
  /** Of the machine, or of the control group if that is less. */
  readonly bytes: number
  readonly isGroup: boolean
  /** Of the heap of one thread. */
  readonly heapBytes: number
}

export function memoryHere(): Memory {
  const machine = totalmem()
  const group = process.constrainedMemory?.() ?? 0
  const isGroup = group > 0 && group < machine
  return { bytes: isGroup ? group : machine, isGroup, heapBytes: getHeapStatistics().heap_size_limit }
}

/** Compares what accounts and open orders need with the memory that there is. */
export function memoryCheck({ accounts, openOrders }: Load, memory = memoryHere()): Check {
  const { bytes, isGroup, heapBytes } = memory
  const idle = BYTES.idle + accounts * BYTES.account
  const needed = idle + openOrders * BYTES.openOrder
  const atStart = sizeText(idle + openOrders * BYTES.restedOrder)
  const place = isGroup ? 'the control group' : 'the machine'
  const load = `${countText(accounts)} accounts and ${countText(openOrders)} open orders`
  const sizes = `${sizeText(needed)} for ${load}, ${atStart} just after a start`
  const found = `about ${sizes}; ${place} has ${sizeText(bytes)}`
  if (needed > bytes * SHARE_MAX) {
    return warn('memory', found, `give it ${sizeText(Math.ceil(needed / SHARE_MAX))} or more`)
  }
  if (needed <= heapBytes * SHARE_MAX) return ok('memory', found)
  const most = Math.ceil(needed / SHARE_MAX / MEGABYTE)
  const advice = `set NODE_OPTIONS=--max-old-space-size=${most}`
  return warn('memory', `${found}, but a heap of Node may have ${sizeText(heapBytes)} only`, advice)
}

const countText = (count: number) => count.toLocaleString('en-IN')
