import { useSignal } from '@preact/signals'
import { useClosingMenu } from '../../kit/closing-menu.js'
import { isMembersOnly } from '../../kit/page-site.js'
import { Icon } from '../../kit/icons.jsx'
import { t } from '../../texts/share.js'
import { embedCode } from './embed-code.js'

interface ShareProps {
  readonly code: string
  readonly title: string
}

/** Sends or copies a market’s link, or copies the code of its card. */
export function ShareButton({ code, title }: ShareProps) {
  const menu = useClosingMenu()
  const done = useSignal('')
  const address = `${location.origin}/market/${code}`
  const copy = async (text: string, message: string) => {
    done.value = (await copyText(text)) ? message : text
  }
  // A share that the reader breaks off is no error.
  const send = () => void navigator.share({ title, url: address }).catch(() => {})
  return (
    <details
      class="share"
      ref={menu}
      onToggle={() => {
        done.value = ''
      }}
    >
      <summary class="button button-small">
        <Icon shape="share" /> {t.share}
      </summary>
      <div class="share-menu card">
        {'share' in navigator && (
          <button type="button" class="share-way" onClick={send}>
            {t.sendTo}
          </button>
        )}
        <button type="button" class="share-way" onClick={() => copy(address, t.copied)}>
          {t.copyLink}
        </button>
        {!isMembersOnly && (
          <button
            type="button"
            class="share-way"
            onClick={() => copy(embedCode(location.origin, code, title), t.copiedCode)}
          >
            {t.embedCode}
          </button>
        )}
        <p class="share-done" role="status">
          {done.value}
        </p>
      </div>
    </details>
  )
}

/** Copies a text to the clipboard; tells whether it did. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** Copies as browsers did before, which also works on pages without encryption. */
function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
