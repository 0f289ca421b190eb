import { describe, expect, it } from 'vitest'
import { partOfList, partOfNames } from './session-names.ts'

const EVER = Number.NEGATIVE_INFINITY
const DAY = 86_400_000

describe('the part of a team store that is enough', () => {
  it('has the sessions of a machine or a person, and those since some time', () => {
    expect(partOfList({ name: 'device:oak', sinceMs: EVER })).toEqual({ device: 'oak' })
    expect(partOfList({ name: 'Person:Ann:latest', sinceMs: 5 * DAY })).toEqual({
      ...{ person: 'Ann', sinceMs: 4 * DAY },
    })
    expect(partOfList({ sinceMs: 5 * DAY })).toEqual({ sinceMs: 4 * DAY })
  })

  it('is all of it for a project, which is known by all of its sessions', () => {
    for (const name of ['garden', 'latest', undefined])
      expect(partOfList({ name, sinceMs: EVER })).toBe(undefined)
  })

  it('has the sessions of ids, if all names are ids', () => {
    expect(partOfNames(['640ab4c7', 'agent-a11c40c47cba:12'])).toEqual({
      ids: ['640ab4c7', 'agent-a11c40c47cba'],
    })
    expect(partOfNames(['person:ann:latest'])).toEqual({ person: 'ann' })
    for (const names of [['640ab4c7', 'garden'], ['device:oak', 'device:elm'], ['640a'], []])
      expect(partOfNames(names)).toBe(undefined)
  })
})
