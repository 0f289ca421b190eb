import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileCache, program } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { inTerminal } from '../terminal.ts'

const env = { NODE_COMPILE_CACHE: compileCache }
const shown = (args: string, home: string, more: NodeJS.ProcessEnv = {}) =>
  inTerminal(`${process.execPath} ${program} ${args}`, { cwd: home, env: { ...env, ...more } })

const COLOUR = /\x1b\[[0-9;]*m/

describe('colours in a terminal', () => {
  const line = 'read 640ab4c7 --demo --no-pager'

  it.each([
    ['are shown', line, {}, true],
    ['are not shown with NO_COLOR', line, { NO_COLOR: '1' }, false],
    ['are shown with an empty NO_COLOR', line, { NO_COLOR: '' }, true],
    ['are not shown on a terminal without colours', line, { TERM: 'dumb' }, false],
    ['are shown with --color, whatever NO_COLOR is', `${line} --color`, { NO_COLOR: '1' }, true],
    ['are not shown with --no-color', `${line} --no-color`, {}, false],
    ['are not shown in a pipe', `${line} | cat`, {}, false],
    ['are shown in a pipe with --color', `${line} --color | cat`, {}, true],
  ])('%s', async (_, args, more, isColoured) => {
    const { raw, code } = await shown(args, temporaryHome(), more)
    expect(code).toBe(0)
    expect(raw).toContain('Checkout and payments')
    expect(COLOUR.test(raw)).toBe(isColoured)
  })
})

it('progress in a terminal is shown on stderr during long reads, and cleared afterwards', async () => {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'short')])
  const path = put(join(home, '.claude/projects/-x', `${uuid(2)}.jsonl`), '')
  const file = openSync(path, 'a')
  const many = Array.from({ length: 2000 }, (_, number) =>
    JSON.stringify(claude.user(number + 1, `fern ${number} `.repeat(40))),
  )
  for (let count = 0; count < 40; count++) writeSync(file, `${many.join('\n')}\n`)
  closeSync(file)
  const { raw, text, code } = await shown('index', home)
  expect(code).toBe(0)
  expect(raw).toMatch(/\r\x1b\[2K\S.* █*░* \d+% {2}[\d.]+ \w+\/s {2}\d+ s left/)
  expect(text).not.toContain('░')
  const piped = await shown('index --rebuild 2>&1 | cat', home)
  expect(piped.raw).not.toContain('░')
})
