import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../texts/frame.js'
import { errorText } from './error-text.js'

interface LaterProps<Props> {
  /** Loads the code of the component; the same function each time. */
  readonly load: () => Promise<ComponentType<Props>>
  readonly props: Props
  /** Set for a page: says that it is loading, or why it cannot be. Other parts are missed by nobody. */
  readonly isPage?: true
  /** Lets the page be drawn and answer its first clicks before. */
  readonly pauseMs?: number
}

/** The components loaded so far; shown again, they are there at once. */
const loaded = new WeakMap<object, ComponentType<never>>()

/** A component whose code is loaded when it is first shown. */
export function Later<Props extends object>({ load, props, isPage, pauseMs = 0 }: LaterProps<Props>) {
  const arrived = useSignal(0)
  const fault = useSignal('')
  const Shown = loaded.get(load) as ComponentType<Props> | undefined
  useEffect(() => {
    fault.value = ''
    if (loaded.has(load)) return
    let isOver = false
    const start = () =>
      load().then(
        component => {
          loaded.set(load, component as ComponentType<never>)
          arrived.value++
        },
        error => {
          if (!isOver) fault.value = errorText(error)
        },
      )
    const timer = setTimeout(start, pauseMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [load])
  // Another page may have taken the place of the one before: what is shown is always the code asked for now.
  void arrived.value
  if (Shown !== undefined) return <Shown {...props} />
  if (isPage === undefined) return null
  return (
    <p class="empty" aria-busy={fault.value === ''}>
      {fault.value || t.connecting}
    </p>
  )
}
