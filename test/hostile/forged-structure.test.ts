import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeSpan, plainMarkdown, quoteMarkdown } from '../../src/render/markdown.ts'
import { anyCharacter } from '../any-character.ts'
import { run } from '../program.ts'
import { call, claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const FORGED = 'forged words'
const HEADER = `\nYou  10:59\n  ${FORGED}\n`
const MARKDOWN = `\n**You**  10:59\n\n${FORGED}\n\n## A session\n\n<script>alert(1)</script>\n<img src=x onerror=alert(1)>\n![x](https://tracker.invalid/p.png)\n`

/** A home in which every text that is not the human's imitates a message of the human. */
function forgedHome(): string {
  const home = temporaryHome()
  const evil = HEADER + MARKDOWN
  putClaude(home, uuid(1), [
    { type: 'custom-title', customTitle: `title${evil}`, sessionId: uuid(1) },
    claude.user(1, 'the only words'),
    claude.reply(2, [
      text(`reply${evil}\n→ Bash rm -rf /\n  ✗ Bash: failed\n· compacted ·\n│ You  10:59`),
      call('toolu_1', `Bash${evil}`, { command: `ls${evil}` }),
      call('toolu_2', 'Read', { file_path: `/home/ann/x${evil}` }),
    ]),
    claude.result(3, 'toolu_1', `Error: broke${evil}`, true),
    claude.result(4, 'toolu_2', `content${evil}`),
  ])
  putOpenclaw(
    home,
    'forged.jsonl',
    [
      openclaw.header('forged', `/home/ann/pond${evil}`),
      openclaw.user(1, 'the only words'),
      openclaw.reply(2, [
        text(`pond${evil}`),
        { type: 'toolCall', id: 't1', name: `exec${evil}`, arguments: { command: `ls${evil}` } },
      ]),
      openclaw.message(3, {
        role: 'toolResult',
        toolCallId: 't1',
        toolName: `exec${evil}`,
        content: [text(`Error: ${evil}`)],
        isError: true,
      }),
    ],
    'You',
  )
  return home
}

const TEXTS = ['', '--full', '--lines', '--fold', '--full --lines', '--subagents']

describe('text of others', () => {
  it.each(TEXTS)('cannot forge a speaker: scrollback read --all %s', (flags) => {
    const { stdout, code } = run(['read', '--all', ...flags.split(' ').filter(Boolean)], forgedHome())
    expect(code).toBe(0)
    const lines = stdout.split('\n')
    const headers = lines.filter((line) => /^You\b/.test(line))
    expect(headers.length).toBeLessThanOrEqual(4)
    // Everything below a name of the human is the human's text.
    for (const [index, line] of lines.entries())
      if (/^You\s+(?:\d{4}-\d{2}-\d{2} )?\d\d:\d\d/.test(line))
        expect(lines[index + 1]).toBe('  the only words')
    expect(
      lines.filter((line) => line.includes(FORGED) && /^\S/.test(line) && !/^(?:━|→)/.test(line)),
    ).toEqual([])
  })

  it('cannot imitate a tool call, an error or a note', () => {
    const { stdout } = run(['read', uuid(1)], forgedHome())
    expect(stdout).not.toMatch(/^ *→ Bash rm/m)
    expect(stdout).not.toMatch(/^ *✗ Bash: failed/m)
    expect(stdout).not.toMatch(/^ *· compacted ·$/m)
    expect(stdout).not.toMatch(/^ *│ You/m)
    expect(stdout).toContain('⇒ Bash rm -rf /')
  })

  it.each(['', '--full', '--lines'])('stays a quotation in Markdown: read --all --format md %s', (flags) => {
    const { stdout } = run(
      ['read', '--all', '--format', 'md', ...flags.split(' ').filter(Boolean)],
      forgedHome(),
    )
    expectQuoted(stdout)
  })

  it('stays a quotation in an export', () => {
    const home = forgedHome()
    const { code } = run(['export', uuid(1), '--format', 'md', '--out', join(home, 'out.md')], home)
    expect(code).toBe(0)
    expectQuoted(readFileSync(join(home, 'out.md'), 'utf8'))
  })
})

/** The forged text is nowhere outside quotations, code and our own lines. */
function expectQuoted(markdown: string): void {
  const own = markdown
    .replace(/^```\n[\s\S]*?^```$/gm, '')
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .map((line) => line.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ''))
  expect(own.filter((line) => /(?<!\\)<script|(?<!\\)<img|^!\[|^\*\*You\*\* {2}10:59/.test(line))).toEqual([])
  expect(own.filter((line) => /^## A session/.test(line))).toEqual([])
  const quoted = markdown.split('\n').filter((line) => line.startsWith('>'))
  expect(quoted.filter((line) => /(?<!\\)<script|(?<!\\)<img|(?<!\\)!\[/.test(line))).toEqual([])
}

describe('Markdown', () => {
  it('of a quotation starts every line with its mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (words) => {
        for (const line of quoteMarkdown(words).split(/\n|\u2028|\u2029/))
          expect(line.startsWith('>')).toBe(true)
      }),
    )
  })

  it('leaves code unchanged, and escapes what only looks like code', () => {
    expect(quoteMarkdown('`Map<string>` and <b>\n```ts\nf<T>()\n```\n<i>')).toBe(
      '> `Map<string>` and &lt;b>\n> ```ts\n> f<T>()\n> ```\n> &lt;i>',
    )
    expect(quoteMarkdown('a ` b\n`<script>`')).toBe('> a ` b\n> `&lt;script>`')
    expect(quoteMarkdown('\\`<script>`')).toBe('> \\`&lt;script>`')
    expect(quoteMarkdown('- ```\n<script>')).toContain('&lt;script>')
    expect(quoteMarkdown('```a`b\n<script>')).toContain('&lt;script>')
    expect(quoteMarkdown('    ```\n<script>')).toContain('&lt;script>')
    expect(quoteMarkdown('```\n<b>\n  ````  \n<script>')).toContain('&lt;script>')
  })

  it('of a code span can contain any text', () => {
    expect(codeSpan('a ``b` c')).toBe('```a ``b` c```')
    expect(codeSpan('`')).toBe('`` ` ``')
    expect(codeSpan('two\nlines')).toBe('`two lines`')
  })

  it('of plain text has no markup', () => {
    expect(plainMarkdown('**bold** <b> [x](y)\n# no')).toBe('\\*\\*bold\\*\\* \\<b\\> \\[x\\](y) \\# no')
  })
})
