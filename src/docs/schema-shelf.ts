import { z } from 'zod'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

const PLACE = '#/components/schemas/'

/**
 * Turns zod schemas into JSON Schema. Those that have an id are kept once, in `components`, and referred to
 * from wherever they are used.
 */
export class SchemaShelf {
  readonly components: Record<string, Json> = {}
  readonly #target: 'draft-2020-12' | 'draft-7'

  /** @param target the draft that the document's own format is made for */
  constructor(target: 'draft-2020-12' | 'draft-7') {
    this.#target = target
  }

  /**
   * The schema of what a client may send (`input`), where fields with a default may be left out, or of what
   * the exchange answers (`output`), which has no other fields.
   */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const whole = z.toJSONSchema(z.object({ it: schema }), { io, target: this.#target, override: tidy })
    const { properties, $defs, definitions } = JSON.parse(
      JSON.stringify(whole).replace(/"#\/(?:\$defs|definitions)\//g, `"${PLACE}`),
    ) as { properties: { it: Json }; $defs?: Record<string, Json>; definitions?: Record<string, Json> }
    Object.assign(this.components, $defs ?? definitions)
    return properties.it
  }
}

/** Takes out what only zod needs to know: that whole numbers are exact, and how a date is told. */
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
}
