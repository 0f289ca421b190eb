import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addChild, childrenOf, editJson, removeChild } from './edit-json.ts'

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

const texts = [
  '{}',
  '{\n    "b": 1.0,\n    "big": 12345678901234567890\n}\n',
  '{"a":[1,{"b":"}]"}],"c":{"d":null}}',
  '{ "a" : "x\\"y" ,\r\n\t"b":[ ]\r\n}',
  '  {\n\t"a": 1\n}',
]

describe('a member that is added to a JSON text', () => {
  it.each(texts)('changes no other byte, and is gone without a trace: %j', (text) => {
    const root = text.indexOf('{')
    const added = addChild(text, root, 'hooks', { on: ['x', 2] })
    expect(JSON.parse(added)).toEqual({ ...JSON.parse(text), hooks: { on: ['x', 2] } })
    const last = childrenOf(added, root).children.length - 1
    expect(removeChild(added, root, last)).toBe(text)
  })

  it('is indented like the others', () => {
    expect(addChild('{\n    "a": 1\n}\n', 0, 'b', { c: [1] })).toBe(
      '{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}\n',
    )
    expect(addChild('{"a":1}', 0, 'b', { c: [1] })).toBe('{"a":1,"b":{"c":[1]}}')
    expect(addChild('{}', 0, 'b', 1)).toBe('{\n  "b": 1\n}')
  })
})

it('the children of any object and list are found, and can be removed', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
      fc.constantFrom(undefined, 1, '\t'),
      (value, space) => {
        const text = JSON.stringify(value, null, space)
        const { children, close } = childrenOf(text, 0)
        expect(close).toBe(text.length - 1)
        const names = Array.isArray(value)
          ? value.map(() => undefined)
          : Object.keys(JSON.parse(text) as object)
        expect(children.map(({ name }) => name)).toEqual(names)
        expect(children.map((child) => JSON.parse(text.slice(child.value, child.end)))).toEqual(
          Object.values(JSON.parse(text)),
        )
        for (const index of children.keys()) {
          const left = JSON.parse(removeChild(text, 0, index)) as object
          expect(Object.values(left)).toEqual(Object.values(JSON.parse(text)).toSpliced(index, 1))
        }
      },
    ),
  )
})
