import { z } from 'zod'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { kindOf } from '../wrong-value.js'

/** A fault in a message, as its sender reads it. */
export class Fault {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** One value of a message: how it is read, and its schema for the document. Reading builds no schema. */
export interface Field<Value> {
  readonly schema: z.ZodType
  /** @param path the field's name, with which a fault begins */
  read(given: unknown, path: string): Value | Fault
}

/** The data of a message about channels: a name, or with `method` and `events` up to 100 of them. */
export interface NamesData {
  readonly kind: 'names'
  /** A word for the names, in the plural. */
  readonly what: string
  readonly item: Field<string>
  /** The meaning of `from_seq`, where the message has a use for it. */
  readonly fromSeq: string | undefined
}

type Fields = Readonly<Record<string, Field<unknown>>>

/** The data of a message about the connection: an object with these fields. */
export interface ObjectData<Known extends Fields = Fields> {
  readonly kind: 'object'
  readonly fields: Known
}

/** The values of an object's fields. */
export type ValuesOf<Known extends Fields> = {
  readonly [Name in keyof Known]: Known[Name] extends Field<infer Value> ? Value : never
}

const INEXACT = 'Expected fewer digits, or a text of them'

/** A text of bounded length, not empty. */
export function textField(lengthMax: number, description: string): Field<string> {
  return {
    schema: z.string().min(1).max(lengthMax).meta({ description }),
    read: (given, path) => {
      if (given === undefined) return new Fault(`${path}: Required`)
      if (typeof given !== 'string') return new Fault(`${path}: Expected string, received ${kindOf(given)}`)
      return lengthChecked(given, lengthMax, path)
    },
  }
}

/** The code of an event, as a text or a number. Whether there is such an event is found out later. */
export const eventCodeField: Field<string> = {
  schema: z.union([answerField.eventCode, z.int()]).meta({ description: 'An event code, as text or number' }),
  read: nameIn,
}

/** The code of a group, in the same way. */
export const groupCodeField: Field<string> = {
  schema: z.union([answerField.eventCode, z.int()]).meta({ description: 'A group code, as text or number' }),
  read: nameIn,
}

/** A user id, as a text or a number. */
export const userIdNameField: Field<string> = {
  schema: z
    .union([z.string().min(1).max(LIMITS.userIdLengthMax), z.number()])
    .meta({ description: 'A user id; a number is taken as the text of its digits' }),
  read: (given, path) => {
    const name = nameIn(given, path)
    if (name instanceof Fault) return name
    if (typeof given === 'number' && Math.abs(given) > Number.MAX_SAFE_INTEGER) {
      return new Fault(`${path}: ${INEXACT}`)
    }
    return lengthChecked(name, LIMITS.userIdLengthMax, path)
  },
}

/** A field that may be left out. */
export function optionalField<Value>(field: Field<Value>, description: string): Field<Value | undefined> {
  return {
    schema: field.schema.optional().meta({ description }),
    read: (given, path) => (given === undefined ? undefined : field.read(given, path)),
  }
}

/** A list of at most 100 values, without repeats. */
export function listField(field: Field<string>, what: string): Field<readonly string[]> {
  return {
    schema: z.array(field.schema).max(LIMITS.channelNamesMax),
    read: (given, path) => {
      if (!Array.isArray(given)) return new Fault(`${path}: Expected array, received ${kindOf(given)}`)
      if (given.length > LIMITS.channelNamesMax) {
        return new Fault(`${path}: Expected at most ${LIMITS.channelNamesMax} ${what}`)
      }
      return listIn(given, field, path)
    },
  }
}

/** Data that names channels. */
export function names(what: string, item: Field<string>, fromSeq?: string): NamesData {
  return { kind: 'names', what, item, fromSeq }
}

/** Data that is an object. */
export function object<const Known extends Fields>(fields: Known): ObjectData<Known> {
  return { kind: 'object', fields }
}

/** Reads each of a list of values, and drops repeats. */
export function listIn(given: readonly unknown[], field: Field<string>, path: string): string[] | Fault {
  const values = new Set<string>()
  for (const one of given) {
    const value = field.read(one, path)
    if (value instanceof Fault) return value
    values.add(value)
  }
  return [...values]
}

/** Reads the fields of an object. */
export function objectIn({ fields }: ObjectData, given: unknown, path: string): object | Fault {
  if (given === undefined) return new Fault(`${path}: Required`)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return new Fault(`${path}: Expected object, received ${kindOf(given)}`)
  }
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = field.read((given as Record<string, unknown>)[name], `${path}.${name}`)
    if (value instanceof Fault) return value
    values[name] = value
  }
  return values
}

function nameIn(given: unknown, path: string): string | Fault {
  if (given === undefined) return new Fault(`${path}: Required`)
  if (typeof given === 'string' || typeof given === 'number') return String(given)
  return new Fault(`${path}: Expected string, received ${kindOf(given)}`)
}

function lengthChecked(text: string, lengthMax: number, path: string): string | Fault {
  if (text.length >= 1 && text.length <= lengthMax) return text
  return new Fault(`${path}: Expected 1 to ${lengthMax} characters`)
}
