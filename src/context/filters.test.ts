import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { contextFor } from '../../test/context.ts'
import { commands } from '../commands/index.ts'
import { filters, kindsOf, spanOf } from './filters.ts'
import { noteOf } from './flags.ts'

const context = contextFor({ home: '/home/ann', variables: {} }, { now: Date.UTC(2026, 10, 20) })

describe('the options of every listing', () => {
  it('accept kinds of sessions, separated by commas', () => {
    expect(kindsOf('human')).toEqual(new Set(['human']))
    expect(kindsOf('cron, subagent')).toEqual(new Set(['cron', 'subagent']))
    expect(kindsOf('direct,cron-run')).toEqual(new Set(['direct', 'cron-run']))
    expect(kindsOf('human,all')).toBe('all')
    for (const text of ['', 'humans', 'human,,cron', 'Human']) expect(kindsOf(text), text).toBeUndefined()
  })

  it('leave a time range open on the side that is not given', () => {
    expect(spanOf({}, context)).toEqual({ since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY })
    expect(spanOf({ since: '1d' }, context).since).toBe(context.now - 86_400_000)
  })

  it('refuse a time range that ends before it begins, on every surface', () => {
    expect(() => spanOf({ since: 'today', until: 'yesterday' }, context)).toThrow(
      '--since: "today" begins after the end of --until "yesterday"',
    )
    expect(spanOf({ since: 'now', until: 'now' }, context)).toEqual({
      since: context.now,
      until: context.now,
    })
  })

  it('accept numbers as text, as on a command line, and reject other text', () => {
    const input = z.object(filters)
    expect(input.parse({ limit: '5' }).limit).toBe(5)
    expect(input.parse({}).limit).toBeUndefined()
    expect(input.parse({}).all).toBe(false)
    for (const limit of ['-1', '1.5', 'few', 'NaN', 'Infinity'])
      expect(input.safeParse({ limit }).success, limit).toBe(false)
    expect(input.safeParse({ platform: 'cursor' }).success).toBe(false)
    expect(input.safeParse({ kind: 'human,robot' }).success).toBe(false)
  })
})

describe('every command', () => {
  it.each(Object.keys(commands))('%s describes itself and each of its fields', async (name) => {
    const command = await commands[name]!()
    expect(command.name).toBe(name)
    expect(command.summary).toMatch(/^[a-z].*[^.]$/)
    expect(command.examples.length).toBeGreaterThan(0)
    for (const { command: line } of command.examples) expect(line).toMatch(/\bscrollback\b/)
    for (const [field, schema] of Object.entries(command.input.shape))
      expect(noteOf(schema)?.description, `${name} ${field}`).toMatch(/\S/)
  })

  it.each(Object.keys(commands))('%s accepts an empty input', async (name) => {
    const command = await commands[name]!()
    expect(command.input.safeParse({}).success).toBe(true)
  })
})
