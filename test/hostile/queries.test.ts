import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, putClaude, temporaryHome, uuid } from '../records.ts'

function plantedHome(): string {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'The moss is green.')])
  return home
}

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index}`)

const EXCESSIVE = [
  {
    what: 'a phrase of 1,000 words',
    query: `"${Array(1000).fill('a').join(' ')}"`,
    says: '1,000 words; the limit is 100',
  },
  { what: '300 alternatives', query: words(300).join(' OR '), says: '300 words; the limit is 100' },
  {
    what: '101 words that must not occur',
    query: `moss ${words(101)
      .map((word) => `-${word}`)
      .join(' ')}`,
    says: '102 words',
  },
  { what: 'a Chinese phrase of 200 characters', query: '的一'.repeat(100), says: 'words; the limit is 100' },
  {
    what: '150 filters',
    query: `moss ${words(150)
      .map((word) => `tool:${word}`)
      .join(' ')}`,
    says: '150 filters',
  },
  { what: 'a megabyte of brackets', query: '('.repeat(100_000), says: '100,000 characters' },
  { what: '3,000 quotes', query: '"a'.repeat(3000), says: '6,000 characters' },
]

describe('an excessive query', () => {
  it.each(EXCESSIVE)('is rejected with the reason: $what', ({ query, says }) => {
    const { stdout, stderr, code } = run(['search', query], plantedHome())
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain(says)
    expect(stderr).toContain('Search for fewer words')
  })

  it('is answered up to the limit', () => {
    const { stdout, code } = run(['search', ['moss', ...words(99)].join(' OR ')], plantedHome())
    expect(code).toBe(0)
    expect(stdout).toContain('1 match')
  })
})
