import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editJson } from './edit-json.ts'

describe('editing strings in JSON', () => {
  it('replaces values and names at a path and leaves every other byte', () => {
    const text = '{ "cwd" : "\\/a" , "n": 1.50, "list":["/a",{"cwd":"/a"}], "projects":{"/a":{"x":"/a"}} }'
    const edited = editJson(text, ([name, ...rest], value, isName) =>
      value === '/a' && rest.length === 0 && (isName ? name === 'projects' : name === 'cwd')
        ? '/"b'
        : undefined,
    )
    expect(edited).toBe(
      '{ "cwd" : "/\\"b" , "n": 1.50, "list":["/a",{"cwd":"/a"}], "projects":{"/\\"b":{"x":"/a"}} }',
    )
  })

  it('changes what it is asked to, in any JSON, and nothing else', () => {
    const changed = (value: unknown): unknown => {
      if (typeof value === 'string') return `${value}!`
      if (Array.isArray(value)) return value.map(changed)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)]))
    }
    fc.assert(
      fc.property(fc.json(), (text) => {
        const edit = (_: readonly string[], value: string, isName: boolean) =>
          isName ? undefined : `${value}!`
        expect(JSON.parse(editJson(text, edit))).toEqual(changed(JSON.parse(text)))
        expect(editJson(text, () => undefined)).toBe(text)
      }),
    )
  })
})
