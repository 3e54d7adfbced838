import { html } from 'hono/html'
import type { Json } from '../openapi/schema-shelf.js'

/** A piece of HTML whose text has been escaped. */
export type Html = ReturnType<typeof html>

const BOUNDS: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: value => `≥ ${value}`,
  exclusiveMinimum: value => `> ${value}`,
  maximum: value => `≤ ${value}`,
  format: value => String(value),
  pattern: value => `like ${value}`,
}

/** Bounds of a length, and its unit. */
const LENGTHS = [
  ['minLength', 'maxLength', 'character'],
  ['minItems', 'maxItems', 'item'],
] as const

/** Renders a schema as nested lists of fields: name, type, bounds, description. */
export function schemaHtml(schema: Json): Html {
  return html`<p class="type">${typeOf(schema)} ${boundsOf(schema)}</p>
    ${insideOf(schema)}`
}

/** Renders text as paragraphs, with \`code\` marked up. */
export function prose(text: unknown): Html {
  const parts = String(text ?? '').split('\n\n')
  return html`${parts.map(part => html`<p>${phrase(part)}</p>`)}`
}

/** Renders text with \`code\` marked up, without paragraphs. */
export function phrase(text: unknown): Html[] {
  return String(text ?? '')
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function insideOf(schema: Json): Html {
  if (isObject(schema.properties)) return fieldsOf(schema)
  if (isObject(schema.items) && !('$ref' in schema.items)) return insideOf(schema.items)
  const choices = choicesOf(schema).filter(choice => isObject(choice.properties))
  return html`${choices.map(choice => fieldsOf(choice))}`
}

function fieldsOf({ properties, required }: Json): Html {
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(properties as Record<string, Json>).map(
    ([name, field]) => html`<li>
      <code class="name">${name}</code> <span class="type">${typeOf(field)} ${boundsOf(field)}</span>
      ${needed.includes(name) ? html`<span class="required">required</span>` : ''}
      ${field.description === undefined ? '' : html`<span class="what">${phrase(field.description)}</span>`}
      ${insideOf(field)}
    </li>`,
  )
  return html`<ul class="fields">${fields}</ul>`
}

function typeOf(schema: Json): Html {
  const { $ref, type, items, prefixItems } = schema
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return html`<a href="/docs/api/schemas#schema-${name}">${name}</a>`
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (Array.isArray(schema.enum))
    return either(schema.enum.map(value => html`<code>${JSON.stringify(value)}</code>`))
  const choices = choicesOf(schema)
  if (choices.length > 0) return either(choices.map(typeOf))
  const places = prefixItems ?? items
  if (Array.isArray(places)) {
    return html`[${places.map((place: Json, index) => html`${index > 0 ? ', ' : ''}${typeOf(place)}`)}]`
  }
  if (isObject(items)) return html`array of ${typeOf(items)}`
  return html`${Array.isArray(type) ? type.join(' or ') : (type ?? 'anything')}`
}

function either(choices: readonly Html[]): Html {
  return html`${choices.map((choice, index) => html`${index > 0 ? ' or ' : ''}${choice}`)}`
}

function boundsOf(schema: Json): string {
  // A tuple’s length follows from its items.
  if (Array.isArray(schema.items) || 'prefixItems' in schema) return ''
  const lengths = LENGTHS.flatMap(([min, max, unit]) => lengthText(schema[min], schema[max], unit))
  const others = Object.entries(BOUNDS)
    .filter(([name]) => name in schema)
    .map(([name, write]) => write(schema[name]))
  return [...lengths, ...others].join(', ')
}

function lengthText(min: unknown, max: unknown, unit: string): readonly string[] {
  const counted = (count: unknown) => `${count} ${unit}${count === 1 ? '' : 's'}`
  if (min === undefined && max === undefined) return []
  if (max === undefined) return [`at least ${counted(min)}`]
  if (min === undefined) return [`at most ${counted(max)}`]
  return [min === max ? counted(max) : `${min} to ${counted(max)}`]
}

function choicesOf({ anyOf, oneOf }: Json): Json[] {
  const choices = anyOf ?? oneOf
  return Array.isArray(choices) ? (choices as Json[]) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
