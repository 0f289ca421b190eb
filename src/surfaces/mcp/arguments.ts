import { ScrollbackError } from '../../errors.ts'
import type { InputSchema, Property } from './schema.ts'

type Value = string | number | boolean

/** What an agent gave, held against the schema. Says what is wrong with it in words that let the agent repair it. */
export function checkArguments(given: object, schema: InputSchema): Record<string, Value> {
  const { properties, required } = schema
  const checked: Record<string, Value> = {}
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property)
      throw wrong(
        `${quoted(name)}: there is no such argument`,
        `Known: ${Object.keys(properties).join(', ')}.`,
      )
    // Some programs send null for what was not given.
    if (value === null || value === undefined) continue
    checked[name] = checkOne(name, value, property)
  }
  const missing = required.find((name) => checked[name] === undefined)
  if (missing !== undefined)
    throw wrong(`${missing}: is missing`, `It is ${properties[missing]?.description}.`)
  return checked
}

function checkOne(name: string, value: unknown, property: Property): Value {
  if (property.type === 'integer') {
    const { minimum, maximum } = property
    if (Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum)
      return value as number
    throw wrong(`${name}: ${quoted(value)} is no whole number from ${minimum} to ${maximum}`)
  }
  if (property.type === 'boolean') {
    if (typeof value === 'boolean') return value
    throw wrong(`${name}: ${quoted(value)} is neither true nor false`)
  }
  if (typeof value !== 'string') throw wrong(`${name}: ${quoted(value)} is no string`)
  if (property.enum && !property.enum.includes(value))
    throw wrong(`${name}: ${quoted(value)} is none of ${property.enum.join(', ')}`)
  if (property.maxLength !== undefined && value.length > property.maxLength)
    throw wrong(`${name}: ${value.length} characters are too many`, `Give at most ${property.maxLength}.`)
  return value
}

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const wrong = (message: string, wayOut?: string): ScrollbackError =>
  new ScrollbackError('bad-option', message, wayOut)
