import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { access, reach } from './admin-access.js'
import { keepToken } from './admin-token.js'
import { checkAccess } from './check-access.js'

const CHECK_PAUSE_MS = 1500

/** Shows its children to an authorised operator, and a sign-in form or instructions to others. */
export function AccessGate({ children }: { readonly children: ComponentChildren }) {
  useSignalEffect(() => {
    if (access.value !== 'asking') return
    let pause: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      await checkAccess()
      if (!isOver && access.peek() === 'asking') pause = setTimeout(ask, CHECK_PAUSE_MS)
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
          {reach.value === 'offline' ? 'The exchange is not responding. Retrying…' : 'Connecting…'}
        </p>
      )
    case 'local_only':
      return <LocalOnly />
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
      <h1>Operator sign-in</h1>
      <p class="soft">
        Enter the token this exchange was started with (<code>RAAY_ADMIN_TOKEN</code>). It is kept in this tab
        until you close it, and sent only to this exchange.
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
            {isWrong && 'Wrong token. Copy the whole token, without spaces.'}
          </p>
        </div>
        <button type="submit" class="button button-main">
          Sign in
        </button>
      </form>
    </section>
  )
}

/** Explains how to reach the pages of an exchange without a token from another machine. */
function LocalOnly() {
  return (
    <section class="card gate">
      <h1>The admin pages open only on the machine the exchange runs on</h1>
      <p>
        You are connecting from another machine or through a proxy, and this exchange has no admin token.
        Either
      </p>
      <ol>
        <li>
          open <code>http://127.0.0.1:{location.port || '80'}/admin</code> in a browser on that machine, or
          through a tunnel:{' '}
          <code>
            ssh -L {location.port || '3000'}:127.0.0.1:{location.port || '3000'} {location.hostname}
          </code>
        </li>
        <li>
          or restart it with a token of your own, ideally behind a proxy with TLS:{' '}
          <code>RAAY_ADMIN_TOKEN=$(openssl rand -hex 24) npm start</code>. This page will then ask for it.
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
