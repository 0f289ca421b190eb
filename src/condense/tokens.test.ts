import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { estimateTokens } from './tokens.ts'

// Counted with the table `cl100k_base`.
test.each([
  ['a draft in Markdown', readFileSync('test/devlog/counted-draft.md', 'utf8'), 4472, 0.05],
  ['an English sentence', 'We fixed the login page and then deployed it to the staging server.', 14, 0.25],
  ['Chinese', '今天我们修复了登录页面的错误，并且更新了数据库的迁移脚本。', 25, 0.35],
  ['a number', '1234567890', 4, 0],
  ['nothing', '', 0, 0],
])('the tokens of %s are estimated', (_, text, tokens, off) => {
  expect(Math.abs(estimateTokens(text) - tokens)).toBeLessThanOrEqual(tokens * off)
})

test('the tokens of a text grow with it', () => {
  for (const text of ['word ', 'x', '1', '…', '漢', '{"a":1}'])
    expect(estimateTokens(text.repeat(2000))).toBeGreaterThan(estimateTokens(text.repeat(20)))
})
