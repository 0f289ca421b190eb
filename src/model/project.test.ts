import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slugMatches, slugOf } from './project.ts'

describe('the slug of a directory', () => {
  it.each([
    ['/Users/a/my_app.v2', '-Users-a-my-app-v2'],
    ['C:\\Users\\x', 'C--Users-x'],
    ['/home/é', '-home--'],
    ['/home/a b/~x@y+z', '-home-a-b--x-y-z'],
    ['/home/🌱', '-home---'],
  ])('of %s is %s', (path, slug) => {
    expect(slugOf(path)).toBe(slug)
    expect(slugMatches(slug, path)).toBe(true)
  })

  it('of a long path is cut, whatever hash the client appended', () => {
    const path = `/home/ann/${'deep/'.repeat(60)}end`
    expect(slugOf(path).length).toBe(200)
    expect(slugMatches(`${slugOf(path)}-1k2j3h`, path)).toBe(true)
    expect(slugMatches(`${slugOf(path)}-zz9`, path)).toBe(true)
    expect(slugMatches(`${slugOf(path).slice(0, 180)}-zz9`, path)).toBe(false)
  })

  it('may follow the older rule, which preserved dots and underscores', () => {
    expect(slugMatches('-Users-a-my_app.v2', '/Users/a/my_app.v2')).toBe(true)
    expect(slugMatches('-Users-a-my_app-v2', '/Users/a/my_app.v2')).toBe(false)
  })

  it('always matches its own path, and never a longer one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 150 }), (tail) => {
        const path = `/home/${tail}`
        expect(slugMatches(slugOf(path), path)).toBe(true)
        expect(slugMatches(slugOf(path), `${path}/more`)).toBe(false)
        expect(slugMatches(slugOf(`${path}/more`), path)).toBe(false)
      }),
    )
  })
})
