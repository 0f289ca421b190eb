import { describe, expect, it } from 'vitest'
import { type Json, run } from '../program.ts'
import { call, claude, putClaude, sharedHome, TOKEN, temporaryHome, text, uuid } from '../records.ts'

/**
 * What a terminal executes: titles, clearing, colours, 8-bit controls, and marks that reverse the text
 * direction.
 */
const EVIL = '\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\x9d0;owned\x9c\u202egnp.exe\u2066\u200f\x08\x7f\rback\0'
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A home in which every text that an agent writes is hostile. */
function fillHostile(home: string): void {
  const cwd = { cwd: `/home/ann/${EVIL}garden` }
  putClaude(home, uuid(1), [
    { type: 'custom-title', customTitle: `title ${EVIL}`, sessionId: uuid(1) },
    claude.user(1, `words ${EVIL}`, cwd),
    claude.reply(2, [
      { type: 'thinking', thinking: `thoughts ${EVIL}`, signature: 's' },
      text(`reply ${EVIL}`),
      call('toolu_1', `Bash${EVIL}`, { command: `ls ${EVIL}` }),
      call('toolu_2', 'Read', { file_path: `/home/ann/${EVIL}` }),
    ]),
    claude.result(3, 'toolu_1', `Error: ${EVIL} broke`, true),
    claude.result(4, 'toolu_2', `content ${EVIL}`),
  ])
}

describe('the text of a transcript', () => {
  const hostile = sharedHome()
  fillHostile(hostile)

  it('is shown anyway, without control sequences', () => {
    const { stdout } = run(['read', uuid(1)], hostile)
    expect(stdout.match(OBEYED) ?? []).toEqual([])
    for (const words of ['title', 'words', 'reply', 'ls', 'broke']) expect(stdout).toContain(words)
  })

  it('is unchanged in JSON, with escapes', () => {
    const { stdout, stderr } = run(['read', '--all', '--full', '--json', '--no-redact'], hostile)
    expect(`${stdout}${stderr}`.match(OBEYED) ?? []).toEqual([])
    const { items } = JSON.parse(stdout)
    expect(items.find(({ who }: Json) => who === 'human').text).toBe(`words ${EVIL}`)
  })
})

describe('secrets in transcripts', () => {
  const leaky = sharedHome()
  putClaude(leaky, uuid(1), [
    claude.user(1, `push with ${TOKEN} please`),
    claude.reply(2, [
      { type: 'thinking', thinking: `they gave me ${TOKEN}`, signature: 's' },
      text(`I use ${TOKEN}.`),
      call('toolu_1', 'Bash', { command: `git push https://ann:${TOKEN}@github.com/ann/garden` }),
    ]),
    claude.result(3, 'toolu_1', `remote: ${TOKEN}\nfatal: refused ${TOKEN}`, true),
  ])

  it('are shown with --no-redact', () => {
    for (const line of ['sessions --all --json', 'read --all', 'read --all --full --format jsonl'])
      expect(run([...line.split(' '), '--no-redact'], leaky).stdout).toContain(TOKEN)
  })

  it('are redacted if a long text is cut in the middle of one', () => {
    const home = temporaryHome()
    const padding = 'x'.repeat(270)
    putClaude(home, uuid(1), [
      claude.user(1, `${'y'.repeat(3980)} ${TOKEN} and on`),
      claude.reply(2, [call('toolu_1', 'Bash', { command: `echo ${padding} ${TOKEN}` })]),
      claude.result(3, 'toolu_1', `${padding.slice(0, 175)} ${TOKEN}`, true),
    ])
    for (const line of ['read --all', 'sessions --all --json'])
      expect(run(line.split(' '), home).stdout).not.toContain(TOKEN.slice(0, 12))
  })
})
