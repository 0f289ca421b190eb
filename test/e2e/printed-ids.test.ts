import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, run } from '../program.ts'
import { call, claude, putClaude, sharedHome, text, uuid } from '../records.ts'

/** Two sessions whose ids differ in the last character, and one whose subagent's id begins with its own. */
function alike(): string {
  const home = sharedHome()
  const cwd = join(home, 'orchard')
  for (const number of [1, 2])
    putClaude(home, uuid(number), [
      claude.user(1, `Water the fern in bed ${number}`, { cwd }),
      claude.reply(2, [
        call(`t${number}`, 'Edit', { file_path: join(cwd, 'bed.md'), old_string: 'dry', new_string: 'wet' }),
      ]),
      claude.result(3, `t${number}`, 'updated'),
      claude.reply(4, [text(`Bed ${number} is watered.`)]),
    ])
  cpSync(join(checkout, 'test/fixtures/cline/subagents'), home, { recursive: true })
  return home
}

/** The beginnings of the ids in that home, with a line where one follows. */
const NAMES = /(?:0a1b2c3d|1794129900000)[\w-]*(?![\w.-]*\.json)(?::-?\d+)?/g

describe('every id that is printed for a session', () => {
  const home = alike()

  it.each([
    ['search fern'],
    ['search fern --flat'],
    ['why orchard/bed.md'],
    ['runs --all'],
    [`session ${uuid(1)}`],
    ['session 1794129900000_moss41'],
    ['read 1794129900000_moss41 --subagents'],
    [`handoff ${uuid(2)}`],
    ['handoff 1794129900000_moss41'],
    ['devlog orchard'],
    ['devlog orchard --yes'],
    ['devlog orchard --yes --style log'],
    ['devlog orchard --yes --evidence'],
    ['devlog orchard --yes --style standup --since 2020-01-01'],
    ['stats --by session'],
    [`tag ${uuid(1)} --star`],
  ])('is one that read accepts: %s', (line) => {
    const { stdout, stderr } = run(line.split(' '), home, { env: { COLUMNS: '200' } })
    const printed = `${stdout}\n${stderr}`
      // The example of a hand-over names a line that is not there.
      .replaceAll(/:12\b/g, '')
    const names = new Set(printed.match(NAMES))
    expect(names.size).toBeGreaterThan(0)
    for (const name of names) expect(run(['read', name], home)).toMatchObject({ stderr: '', code: 0 })
  })
})
