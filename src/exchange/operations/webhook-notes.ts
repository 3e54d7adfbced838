import { EXTERNAL } from '../../core/ledger.js'
import type { NoteWebhook } from '../../core/note.js'
import type { WriteBusy } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'

/** Notes in the journal what happens to webhooks. */
export class WebhookNotes {
  readonly #parts: CommandParts

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /** Resolves when the note is committed, or to why nothing can be written. */
  async add(note: Omit<NoteWebhook, 'id'>): Promise<WriteBusy | undefined> {
    const { desk, shards, sources } = this.#parts
    if (desk.endingRefusal !== undefined) return desk.endingRefusal
    await shards.submit(EXTERNAL, { id: sources.messageId(), ...note })
    return undefined
  }
}
