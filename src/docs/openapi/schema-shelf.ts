import { z } from 'zod'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

const PLACE = '#/components/schemas/'

/**
 * Turns zod schemas into JSON Schema. Those with an id are kept once, in `components`, and referenced from
 * everywhere else.
 */
export class SchemaShelf {
  readonly components: Record<string, Json> = {}
  readonly #target: 'draft-2020-12' | 'draft-7'

  /** @param target the draft on which the document format is based */
  constructor(target: 'draft-2020-12' | 'draft-7') {
    this.#target = target
  }

  /**
   * Returns the schema of a client's input (`input`), in which fields with a default are optional, or of an
   * answer (`output`), which has no other fields.
   */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const override = ({ jsonSchema }: { readonly jsonSchema: JsonSchema }) => tidied(jsonSchema, io)
    const whole = z.toJSONSchema(z.object({ it: schema }), { io, target: this.#target, override })
    const { properties, $defs, definitions } = JSON.parse(
      JSON.stringify(whole).replace(/"#\/(?:\$defs|definitions)\//g, `"${PLACE}`),
    ) as { properties: { it: Json }; $defs?: Record<string, Json>; definitions?: Record<string, Json> }
    Object.assign(this.components, $defs ?? definitions)
    return properties.it
  }
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Rewrites a schema so that tools older than its draft, and generated clients, read it as intended. */
function tidied(jsonSchema: JsonSchema, io: 'input' | 'output'): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  // Tools that do not know `prefixItems` read `items: false` as "always empty". The length is fixed anyway.
  if (jsonSchema.prefixItems !== undefined) {
    jsonSchema.items = { anyOf: jsonSchema.prefixItems as JsonSchema[] }
  }
  if (io === 'input') sayDefault(jsonSchema)
}

/** Moves a default into the description: client generators make a field with a default required. */
function sayDefault(jsonSchema: JsonSchema): void {
  const { default: value, description } = jsonSchema
  if (value === undefined) return
  delete jsonSchema.default
  const said = `\`${value}\` where it is left out`
  jsonSchema.description = description === undefined ? said : `${description}; ${said}`
}
