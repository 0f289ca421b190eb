import { matchesGlob } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matcherOf } from './glob.ts'

const letters = fc.constantFrom('a', 'b', '.', '-', 'json', '.jsonl')
const nameOf = (more: readonly string[]) =>
  fc
    .array(fc.array(fc.oneof(letters, fc.constantFrom(...more)), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((segments) => segments.map((each) => each.join('')).join('/'))

it('a pattern matches the same paths as with the matcher of Node', () => {
  const pattern = nameOf(['a', '*']).map((text) => text.replaceAll(/\*{2,}/g, '*'))
  fc.assert(
    fc.property(pattern, nameOf(['a']), fc.boolean(), (given, name, deep) => {
      const whole = deep ? given.replace('/', '/**/') : given
      fc.pre(!/(?:^|[/ ])\.{1,2}(?:[/ ]|$)/.test(`${whole} ${name}`) && !name.includes('..'))
      expect(matcherOf(whole)(name), `${whole} ${name}`).toBe(matchesGlob(name, whole))
    }),
    { numRuns: 3000 },
  )
})

it.each([
  ['projects/*/*.jsonl', 'projects/-a/b.jsonl', true],
  ['projects/*/*.jsonl', 'projects/-a/b.jsonl.bak', false],
  ['logs/**', 'logs/a/b.log', true],
  ['logs/**', 'logs', false],
  ['logs/**', 'logs/.hidden/b.log', false],
  ['projects/*/*/subagents/**/agent-*.jsonl', 'projects/a/b/subagents/agent-1.jsonl', true],
  ['projects/*/*/subagents/**/agent-*.jsonl', 'projects/a/b/subagents/c/d/agent-1.jsonl', true],
  ['cron/runs/*.jsonl', 'cron/runs/.hidden.jsonl', false],
])('%s and %s: %s', (pattern, name, fits) => expect(matcherOf(pattern)(name)).toBe(fits))
