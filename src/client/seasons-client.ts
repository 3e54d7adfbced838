import type { Rest } from './rest.js'
import type { Season, SeasonRequest, SeasonTurn } from './shapes.js'

/** Calls about seasons. Those that change one, and the preview, are for operators. */
export class Seasons {
  readonly #rest: Rest
  readonly #headers: Readonly<Record<string, string>>

  /** @param headers sent with calls for operators, if it is not the client's own token */
  constructor(rest: Rest, headers: Readonly<Record<string, string>>) {
    this.#rest = rest
    this.#headers = headers
  }

  /** Returns all seasons, in the order of their start. */
  async fetchSeasons(): Promise<readonly Season[]> {
    return (await this.#rest.call<{ seasons: readonly Season[] }>({ method: 'GET', path: '/seasons' }))
      .seasons
  }

  fetchSeason(season: number): Promise<Season> {
    return this.#rest.call({ method: 'GET', path: `/seasons/${season}` })
  }

  /** Creates a season. It is not repeated without an answer: a second one would overlap. */
  create(body: SeasonRequest): Promise<Season> {
    return this.#rest.call({ method: 'POST', path: '/seasons', body, headers: this.#headers })
  }

  /** Edits a season before its start; omitted fields stay as they are. */
  edit(season: number, body: Partial<SeasonRequest>): Promise<Season> {
    return this.#rest.call({ method: 'PATCH', path: `/seasons/${season}`, body, headers: this.#headers })
  }

  /** Deletes a season before its start. */
  async delete(season: number): Promise<void> {
    await this.#rest.call({ method: 'DELETE', path: `/seasons/${season}`, headers: this.#headers })
  }

  /** Returns what the start of a season would do now. */
  fetchTurn(season: number): Promise<SeasonTurn> {
    return this.#rest.call({ method: 'GET', path: `/seasons/${season}/turn`, headers: this.#headers })
  }
}
