import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptTemplate } from '../prompt-template.ts'
import { scriptConfidence } from '../script-confidence.ts'
import { sentWords } from './sent-words.ts'
import { shellWords } from './shell-words.ts'
import { askingCommand } from './traits.ts'

describe('the words of a command', () => {
  it.each([
    ['ls -l "a b" \'c d\'', ['ls', '-l', 'a b', 'c d']],
    ['echo "say \\"hi\\" for \\$5"', ['echo', 'say "hi" for $5']],
    ["echo $'two\\nlines' 'it'\\''s'", ['echo', 'two\nlines', "it's"]],
    ['a&&b|c;d', ['a', 'b', 'c', 'd']],
    ['a \\\n  b', ['a', 'b']],
    ['echo "never closed', ['echo', 'never closed']],
    ["claude -p <<'EOF'\nfirst\nsecond\nEOF\nls", ['first\nsecond\n', 'claude', '-p', 'EOF', 'ls']],
    ['cat <<-END\nno end', ['no end', 'cat', '-END']],
  ])('%s', (command, words) => {
    expect(shellWords(command)).toEqual(words)
  })

  it('are found whatever a command contains', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\\', '"', "'", '$', '<', 'E', '\n', ' ') }),
        (command) => {
          expect(shellWords(`cat <<E\n${command}`).join('').length).toBeLessThanOrEqual(command.length + 10)
        },
      ),
    )
  })
})

describe('the prompts that a tool call sends to an agent', () => {
  const PROMPT = 'Water the ferns, please.'
  it.each([
    ['exec', { command: `openclaw agent --agent garden -m "${PROMPT}"` }, [{ text: PROMPT, to: 'garden' }]],
    ['Bash', { command: `FOO=1 /usr/bin/claude --model opus -p '${PROMPT}'` }, [{ text: PROMPT }]],
    ['Bash', { command: `codex exec --message="${PROMPT}"` }, [{ text: PROMPT }]],
    ['sessions_send', { sessionKey: 'agent:garden:main', message: 'ok' }, [{ text: 'ok', to: 'garden' }]],
    ['sessions_send', { label: 'garden', message: 'ok' }, []],
    ['Bash', { command: `grep "${PROMPT}" claude.md` }, []],
    ['Bash', { command: 'claude --version' }, []],
    ['Write', { file_path: '/srv/a', content: PROMPT }, []],
    ['exec', 'no arguments', []],
    ['exec', null, []],
  ])('%s %j', (name, input, words) => {
    expect(sentWords(name, input, askingCommand(['openclaw', 'clawdbot', 'claude']))).toEqual(words)
  })
})

describe('the confidence that a script opened sessions', () => {
  const runs = (count: number, minutes: number, whole = (index: number) => index) =>
    Array.from({ length: count }, (_, index) => ({ at: index * minutes * 60_000, whole: whole(index) }))

  it.each([
    [0, runs(2, 1)],
    [0.7, runs(3, 1)],
    [0.85, runs(5, 1)],
    [0.6, runs(5, 600)],
    [0.7, runs(12, 600)],
    [0.8, runs(20, 600)],
    [0.95, runs(30, 1)],
    [0.65, runs(5, 1, () => 7)],
    [0.6, runs(30, 600, () => 7)],
  ])('is %d', (confidence, sessions) => {
    expect(scriptConfidence(sessions)).toBe(confidence)
  })

  it('applies only to prompts that differ in a parameter, and not to everyday ones', () => {
    const alike = (one: string, other: string): boolean => {
      const others = promptTemplate(other)?.templates ?? []
      return promptTemplate(one)?.templates.some((template) => others.includes(template)) ?? false
    }
    expect(alike('/describe fern', '/describe "a rose" now')).toBe(true)
    expect(alike('/describe fern', '/water fern')).toBe(false)
    expect(alike('/clear', '/clear')).toBe(false)
    expect(alike('go on', 'go on')).toBe(false)
    expect(alike('Sum up the file a/1.md in ten words', 'Sum up the file b/22.md in ten words')).toBe(true)
    const long = (plant: string) =>
      `You are to describe one plant for a book that children read, and the plant is the ${plant}, whose leaves you describe first of all.`
    expect(alike(long('fern'), long('rose'))).toBe(true)
    expect(alike('Why is the pump so loud in here?', 'Why is the fern so dry up there?')).toBe(false)
  })
})
