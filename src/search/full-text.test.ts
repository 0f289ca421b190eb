import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CJK, simplify, spellingsOf } from './characters.ts'
import { createMatcher } from './match.ts'
import { type Node, parseQuery, type Term } from './query.ts'
import { endsOpen, indexedTokens, indexText, tokensOf } from './words.ts'

/** The real index, for one text at a time. */
const database = new DatabaseSync(':memory:')
database.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)`)
const remove = database.prepare('DELETE FROM texts')
const insert = database.prepare('INSERT INTO texts VALUES (?)')
const list = database.prepare('SELECT term FROM words ORDER BY offset')
const search = database.prepare('SELECT 1 FROM texts WHERE texts MATCH ?')

function index(text: string): void {
  remove.run()
  insert.run(indexText(text))
}

function realTokens(text: string): string[] {
  index(text)
  return list.all().map((row) => String(row.term))
}

/** Queries the index as the store does: each term is a phrase of tokens. */
function finds(node: Node): boolean {
  if ('not' in node) return !finds(node.not)
  if ('all' in node) return node.all.every(finds)
  if ('any' in node) return node.any.some(finds)
  const { prefix } = node.term
  return spellingsOf(node.term).some((text) => {
    const tokens = tokensOf(text)
    const star = prefix || endsOpen(tokens) ? ' *' : ''
    return tokens.length > 0 && search.get(`"${tokens.join(' ')}"${star}`) !== undefined
  })
}

/** Fragments as in messages of people, agents and tools. */
const PIECES =
  'login Login LOGIN log in path/to/file.ts foo_bar fooBar café cafe\u0301 naïve Straße ΣΟΦΟΣ σοφός İstanbul Ёлка 登录 登录页 登錄頁 页面 使用 用 abc ログイン ｶﾞｷﾞ がく か\u3099く 한국어 한국 \u1112\u1161\u11ab 𠀀𠀁 𝒜 🌱 🤖 🤖done ⏸ — … “ ” 1.5 v2 x 7d9e \0 - _ . / '.split(
    ' ',
  )
const texts = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ', ' ', '-', '\n')), { maxLength: 12 })
  .map((pairs) => pairs.flat().join(''))

describe('the tokens of a text', () => {
  it.each(PIECES)('are the same as in the real index: %j', (text) => {
    expect(indexedTokens(text)).toEqual(realTokens(text))
    expect(indexedTokens(`a${text}b`)).toEqual(realTokens(`a${text}b`))
  })

  it('are the same as in the real index, whatever the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(indexedTokens(text)).toEqual(realTokens(text))
      }),
      { numRuns: 1000 },
    )
  })

  it('are the same as in the real index for every letter of the languages in use', () => {
    const letters =
      /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Hebr}\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Thai}\p{sc=Zyyy}]/u
    const wrong: string[] = []
    for (let row = 0; row < 0xa000; row += 64) {
      const characters = Array.from({ length: 64 }, (_, at) => String.fromCodePoint(row + at)).filter(
        (character) => letters.test(character),
      )
      if (characters.length === 0) continue
      const text = characters.join(' ')
      const [own, real] = [indexedTokens(text), realTokens(text)]
      if (own.join() !== real.join()) wrong.push(...own.filter((token) => !real.includes(token)))
    }
    // Characters that are hardly ever typed: long S, and Greek letters as used in formulas.
    expect(wrong.join(' ')).toMatchInlineSnapshot(`"ſ ϳ ϐ ϑ ϕ ϖ ϰ ϱ ϵ ᳲ ᳳ ẛ ι"`)
  })

  it('are pairs and a last character for all Chinese, Japanese and Korean characters', () => {
    const isCjk = new RegExp(CJK, 'v')
    const missed: string[] = []
    for (let code = 0; code < 0x33480; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const character = String.fromCodePoint(code)
      const simple = simplify(character)
      if (
        isCjk.test(character) &&
        indexText(`${character}${character}`).trim() !== `${simple}${simple} ${simple}`
      )
        missed.push(code.toString(16))
    }
    expect(missed).toEqual([])
  })
})

describe('a match', () => {
  const parse = (text: string): Node | undefined => parseQuery(text, 0, () => undefined).words

  it.each([
    ['login', 'The Login failed', true],
    ['log', 'The login failed', false],
    ['log*', 'The login failed', true],
    ['"login failed"', 'login—failed', true],
    ['"login failed"', 'login has failed', false],
    ['foo_bar', 'a foo.bar there', true],
    ['foo_bar', 'fooBar', true],
    ['foo-bar', 'foo_bar', true],
    ['fooBar', 'FOO_BAR', true],
    ['fooBarBaz', 'foo-bar-baz', true],
    ['HTTPServer', 'http_server', true],
    ['foo_bar', 'foo and bar', false],
    ['foobar', 'foo_bar', false],
    ['"fooBar"', 'foo_bar', false],
    ['cafe', 'un café', true],
    ['CAFÉ', 'un cafe\u0301', true],
    ['录', '登录页面', true],
    ['录页', '登录页面', true],
    ['登页', '登录页面', false],
    ['登录页面', '登录页', false],
    ['登錄', '登录页面', true],
    ['登录', '登錄頁面', true],
    ['頭髮', '头发', true],
    ['登錄', '登高', false],
    ['使用abc', '可以使用abc。', true],
    ['用abc登', '可以使用abc登录', true],
    ['用abc录', '可以使用abc登录', false],
    ['ログイン', 'ログインする', true],
    ['한국', '한국어를', true],
    ['done', '🤖done', true],
    ['2.1.112', 'since v2.1.112', true],
    ['v2.1.112', 'since 2.1.112', false],
    ['2.1.112', '版本v2.1.112发布', true],
    ['v2.1.112', 'バージョンv2.1.112をリリース', true],
    ['2.1.112', '버전v2.1.112를', true],
    ['2.1.112', 'relv2.1.112', false],
    ['v', 'since v2.1.112', true],
    ['v2.1', 'since v2.1.112', true],
    ['2.1', 'dev2.1 and _v2.1', false],
    ['v2', 'since v2.1', false],
    ['since-v2', 'since v2.1', false],
    ['v2', 'since v2', true],
    ['2', 'since v2', false],
    ['a -(b)', 'a c', true],
    ['a -(b)', 'a b', false],
    ['a (b OR -(c))', 'a c', false],
  ])('of %j in %j is %s', (query, text, expected) => {
    index(text)
    expect(createMatcher(parse(query))(text)).toBe(expected)
    expect(finds(parse(query)!)).toBe(expected)
  })

  it('agrees with the real index, for any term in any text', () => {
    const term = fc.record({ text: texts, phrase: fc.boolean(), prefix: fc.boolean() })
    let found = 0
    fc.assert(
      fc.property(texts, term, fc.nat(), fc.nat(), fc.boolean(), (text, other, from, length, own) => {
        const cut = text.slice(from % (text.length + 1)).slice(0, (length % 12) + 1)
        const asked: Term = own ? { ...other, text: cut } : other
        if (tokensOf(asked.text).length === 0) return
        // A star only counts right after a word. Otherwise there is nothing to continue.
        const node = { term: { ...asked, prefix: asked.prefix && /[\p{L}\p{N}]$/u.test(asked.text) } }
        index(text)
        if (finds(node)) found++
        expect(createMatcher(node)(text), JSON.stringify(node)).toBe(finds(node))
      }),
      { numRuns: 3000 },
    )
    expect(found).toBeGreaterThan(300)
  })
})
