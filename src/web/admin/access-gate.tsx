import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { access, reach } from './admin-access.js'
import { keepToken } from './admin-token.js'
import { knock } from './check-access.js'

const KNOCK_PAUSE_MS = 1500

/** Shows what is behind it to those whom the exchange lets in; tells the others what to do. */
export function AccessGate({ children }: { readonly children: ComponentChildren }) {
  useSignalEffect(() => {
    if (access.value !== 'asking') return
    let pause: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      await knock()
      if (!isOver && access.peek() === 'asking') pause = setTimeout(ask, KNOCK_PAUSE_MS)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(pause)
    }
  })
  switch (access.value) {
    case 'in':
      return <>{children}</>
    case 'asking':
      return (
        <p class="empty" role="status">
          {reach.value === 'offline' ? 'The exchange does not answer. Trying again…' : 'Asking the exchange…'}
        </p>
      )
    case 'shut_out':
      return <ShutOut />
    default:
      return <TokenForm isWrong={access.value === 'token_wrong'} />
  }
}

function TokenForm({ isWrong }: { readonly isWrong: boolean }) {
  const text = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.value.trim() !== '') keepToken(text.value.trim())
  }
  return (
    <section class="card gate">
      <h1>This exchange asks its operator for a token.</h1>
      <p class="soft">
        It is the one that the exchange was started with, in <code>RAAY_ADMIN_TOKEN</code>. This tab keeps it
        until it is closed, and sends it to this exchange only.
      </p>
      <form onSubmit={submit} class="form">
        <div class="form-field">
          <label for="admin-token">Admin token</label>
          <input
            id="admin-token"
            class="field"
            type="password"
            autocomplete="off"
            value={text.value}
            onInput={event => {
              text.value = event.currentTarget.value
            }}
            aria-invalid={isWrong}
            aria-describedby="admin-token-note"
          />
          <p id="admin-token-note" class="fault" role="alert">
            {isWrong && 'This is not the token. Copy the whole of it, without spaces.'}
          </p>
        </div>
        <button type="submit" class="button button-main">
          Let me in
        </button>
      </form>
    </section>
  )
}

/** For those who come from elsewhere to an exchange that has no token. */
function ShutOut() {
  return (
    <section class="card gate">
      <h1>Only the machine that the exchange runs on may open its admin pages.</h1>
      <p>You come from elsewhere, or through a proxy, and this exchange has no admin token. Either</p>
      <ol>
        <li>
          open <code>http://127.0.0.1:{location.port || '80'}/admin</code> in a browser on that machine, or
          through a tunnel:{' '}
          <code>
            ssh -L {location.port || '3000'}:127.0.0.1:{location.port || '3000'} {location.hostname}
          </code>
        </li>
        <li>
          or start it with a token that you have made up, at best behind a proxy with TLS:{' '}
          <code>RAAY_ADMIN_TOKEN=$(openssl rand -hex 24) npm start</code>. This page asks for it then.
        </li>
      </ol>
      <p>
        <button
          type="button"
          class="button"
          onClick={() => {
            access.value = 'asking'
          }}
        >
          Try again
        </button>
      </p>
    </section>
  )
}
